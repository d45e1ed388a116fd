import { expect, it } from "vitest";
import { firstPollAt, isPollingDone, POLL_DELAYS } from "../../src/bank-payments/poll-schedule.ts";
import { DAY, HOUR, MINUTE } from "../support/later.ts";

it("polls first after ten minutes, at least each twelve hours, and for a hundred days", () => {
  expect(firstPollAt(7)).toBe(7 + 10 * MINUTE);
  expect(POLL_DELAYS).toEqual({ shortest: 10 * MINUTE, longest: 12 * HOUR, stopAfterAge: 100 * DAY });
});

it.each([
  ["NEW", 100 * DAY, false],
  ["NEW", 100 * DAY + 1, true],
  ["REJECTED", 3 * DAY, false],
  ["REJECTED", 3 * DAY + 1, true],
  ["AUTHORIZED", 4 * DAY, false],
  ["CONFIRMED", 0, true],
  ["CANCELED", 0, true],
])("%s at the age of %i ms needs no more polls: %s", (status, age, wanted) => {
  expect(isPollingDone(status, age)).toBe(wanted);
});
