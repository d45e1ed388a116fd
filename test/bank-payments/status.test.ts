import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPollingDone } from "../../src/bank-payments/poll-schedule.ts";
import { bankStatuses, isFinal, isPaidOrRefunded, isPaidStatus, overwritableStatuses, stageOf } from "../../src/bank-payments/status.ts";
import { DAY } from "../support/later.ts";

/** What a payment in one status becomes when it gets another. */
const next = (stored: string, reported: string) => (overwritableStatuses(reported).includes(stored) ? reported : stored);

const OPEN = ["NEW", "FORM_SHOWED", "AUTHORIZING", "3DS_CHECKING", "3DS_CHECKED", "PAY_CHECKING"];
const AUTHORIZED = ["AUTHORIZED", "CONFIRMING", "CONFIRM_CHECKING"];
const REJECTED = ["REJECTED", "AUTH_FAIL"];
const OVER = ["CANCELED", "DEADLINE_EXPIRED", "ATTEMPTS_EXPIRED", "REVERSING", "PARTIAL_REVERSED", "REVERSED"];
const PAID = ["CONFIRMED", "REFUNDING", "ASYNC_REFUNDING"];
const STAGES = [OPEN, AUTHORIZED, REJECTED, OVER, PAID, ["PARTIAL_REFUNDED"], ["REFUNDED"]];

it("knows every status that the bank documents, and no other", () => {
  expect(bankStatuses.toSorted()).toEqual(STAGES.flat().toSorted());
  for (const unknown of ["", "new", "PAID", "RECEIPT", "CONFIRMED "]) {
    expect(stageOf(unknown)).toBeUndefined();
    expect(overwritableStatuses(unknown)).toEqual([]);
  }
});

describe.each(STAGES.flatMap((stage, rank) => stage.map((status) => [status, rank] as const)))("a payment that is %s", (stored, rank) => {
  it.each(STAGES.flatMap((stage, newRank) => stage.map((status) => [status, newRank] as const)))("and gets %s", (reported, newRank) => {
    expect(next(stored, reported)).toBe(newRank >= rank ? reported : stored);
  });
});

it("says paid by two words alone", () => {
  expect(bankStatuses.filter(isPaidStatus).toSorted()).toEqual(["CONFIRMED", "PARTIAL_REFUNDED"]);
});

it("asks the bank no more once nothing can come by itself", () => {
  const over = [...OVER, "CONFIRMED", "PARTIAL_REFUNDED", "REFUNDED"];
  expect(bankStatuses.filter(isFinal).toSorted()).toEqual(over.toSorted());
  for (const status of bankStatuses) {
    expect(isPollingDone(status, 0)).toBe(over.includes(status));
    expect(isPollingDone(status, 3 * DAY)).toBe(over.includes(status));
    expect(isPollingDone(status, 3 * DAY + 1)).toBe([...over, ...REJECTED].includes(status));
    expect(isPollingDone(status, 100 * DAY + 1)).toBe(true);
  }
});

it("comes to the same stage in whatever order statuses come, and however often", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...bankStatuses), { minLength: 1 }), fc.infiniteStream(fc.nat()), (reported, random) => {
      const shuffled = [...reported, ...reported]
        .map((status) => ({ status, at: random.next().value ?? 0 }))
        .toSorted((a, b) => a.at - b.at);
      const end = (statuses: readonly string[]) => stageOf(statuses.reduce(next, "NEW"));
      expect(end(shuffled.map(({ status }) => status))).toBe(end(reported));
    }),
  );
});

it("knows by which statuses money was taken, whatever has become of it", () => {
  expect(bankStatuses.filter(isPaidOrRefunded).toSorted()).toEqual([...PAID, "PARTIAL_REFUNDED", "REFUNDED"].toSorted());
  expect(isPaidOrRefunded("unheard of")).toBe(false);
});
