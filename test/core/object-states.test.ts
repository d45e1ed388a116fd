import { describe, expect, it } from "vitest";
import {
  endOfSubscription,
  hasEnded,
  isHeld,
  isInquiry,
  nextChargeOf,
  stateOfCode,
  stateOfConfirmation,
  stateOfDispute,
  stateOfGrant,
  stateOfKey,
  stateOfLink,
  stateOfPerson,
  stateOfSubscription,
  stateOfWebhook,
} from "../../src/core/object-states.ts";

const NOW = 1_000;

it.each([
  [null, null, null, "open"],
  [null, null, NOW + 1, "open"],
  [null, null, NOW, "closed"],
  [null, 1, null, "closed"],
  [null, 1, NOW + 1, "closed"],
  [1, null, NOW, "disabled"],
  [1, 1, null, "disabled"],
] as const)("a link that was disabled at %s, had its payments at %s and ends at %s is %s", (disabledAt, closedAt, closesAt, state) => {
  expect(stateOfLink({ disabledAt, closedAt, closesAt }, NOW)).toBe(state);
});

it.each([
  [null, null, "active"],
  [null, NOW + 1, "active"],
  [null, NOW, "expired"],
  [1, NOW, "disabled"],
  [1, null, "disabled"],
  // Its text was given to another code when it had expired.
  [2, 1, "expired"],
  [1, 1, "expired"],
  [1, 2, "disabled"],
])("a code that was deactivated at %s and ends at %s is %s", (deactivatedAt, expiresAt, state) => {
  expect(stateOfCode({ deactivatedAt, expiresAt }, NOW)).toBe(state);
});

it.each([
  [null, null, null, "active", "active"],
  [null, NOW + 1, "active", "active", "active"],
  [null, NOW, "disabled", "disabled", "expired"],
  [null, null, "disabled", "active", "disabled"],
  [null, null, "active", "disabled", "disabled"],
  [1, NOW, "disabled", "disabled", "revoked"],
])(
  "a key that was revoked at %s, ends at %s and belongs to a person who is %s, of a partner that is %s, is %s",
  (revokedAt, expiresAt, employeeStatus, partnerStatus, state) => {
    expect(stateOfKey({ revokedAt, expiresAt, employeeStatus, partnerStatus }, NOW)).toBe(state);
  },
);

it.each([
  ["active", 1, null, "active"],
  ["active", 0, NOW + 1, "invited"],
  ["active", 0, NOW, "no_passkey"],
  ["active", 0, null, "no_passkey"],
  ["disabled", 1, NOW + 1, "disabled"],
] as const)("a person who is %s, with %s passkeys and an invitation until %s, is %s", (status, passkeys, invitedUntil, state) => {
  expect(stateOfPerson({ status, passkeys, invitedUntil }, NOW)).toBe(state);
});

it.each([
  [null, NOW + 1, null, "active"],
  [null, NOW, 1, "expired"],
  [1, NOW, 1, "revoked"],
  [null, NOW + 1, 1, "disabled"],
])("a grant that ended at %s, lasts until %s and whose key was revoked at %s is %s", (endedAt, expiresAt, revokedAt, state) => {
  const key = { revokedAt, expiresAt: null, employeeStatus: null, partnerStatus: "active" };
  expect(stateOfGrant({ endedAt, expiresAt }, key, NOW)).toBe(state);
  if (revokedAt === null) expect(stateOfGrant({ endedAt, expiresAt }, undefined, NOW)).toBe(state);
});

it.each([
  ["active", null, "active"],
  ["active", 1, "failing"],
  ["suspended", 1, "suspended"],
  ["suspended", null, "suspended"],
] as const)("a webhook that is %s and fails since %s is %s", (status, failingSince, state) => {
  expect(stateOfWebhook({ status, failingSince })).toBe(state);
});

describe("a subscription", () => {
  const facts = { status: "active", cancelAtPeriodEnd: false, cancelAt: null, currentPeriodEnd: 5_000 };

  it("has the processor's status while no end is scheduled", () => {
    expect([stateOfSubscription(facts), endOfSubscription(facts), hasEnded(facts)]).toEqual(["active", null, false]);
    expect(stateOfSubscription({ ...facts, status: "past_due" })).toBe("past_due");
  });

  it("is ending at the end of its period, or at a time of its own", () => {
    const atPeriodEnd = { ...facts, cancelAtPeriodEnd: true };
    expect([stateOfSubscription(atPeriodEnd), endOfSubscription(atPeriodEnd)]).toEqual(["ending", 5_000]);
    const atTime = { ...facts, cancelAt: 4_000 };
    expect([stateOfSubscription(atTime), endOfSubscription(atTime)]).toEqual(["ending", 4_000]);
  });

  it.each(["canceled", "incomplete_expired"])("that is %s has ended, and ends no more", (status) => {
    const over = { ...facts, status, cancelAtPeriodEnd: true, cancelAt: 4_000 };
    expect([stateOfSubscription(over), endOfSubscription(over), hasEnded(over)]).toEqual([status, null, true]);
    expect(nextChargeOf({ ...facts, status, collectionPaused: false })).toBeNull();
  });

  const charged = { ...facts, collectionPaused: false };
  it.each([
    [charged, 5_000],
    [{ ...charged, status: "trialing" }, 5_000],
    [{ ...charged, status: "past_due" }, 5_000],
    [{ ...charged, status: "unpaid" }, null],
    [{ ...charged, status: "incomplete" }, null],
    [{ ...charged, collectionPaused: true }, null],
    [{ ...charged, currentPeriodEnd: null }, null],
    [{ ...charged, currentPeriodEnd: null, cancelAt: 4_000 }, null],
    [{ ...charged, cancelAtPeriodEnd: true }, null],
    [{ ...charged, cancelAt: 5_000 }, null],
    [{ ...charged, cancelAt: 5_001 }, 5_000],
  ])("is charged next, of %j, at %s", (of, at) => {
    expect(nextChargeOf(of)).toBe(at);
  });
});

it.each([
  ["needs_response", "needs_response"],
  ["warning_needs_response", "needs_response"],
  ["under_review", "under_review"],
  ["warning_under_review", "under_review"],
  ["a_status_of_next_year", "under_review"],
  ["won", "won"],
  ["lost", "lost"],
  ["warning_closed", "closed"],
  ["prevented", "closed"],
])("a dispute whose status is %s is %s", (status, state) => {
  expect(stateOfDispute(status)).toBe(state);
});

it("an inquiry is a dispute whose status warns", () => {
  expect(["warning_needs_response", "needs_response", "won"].map(isInquiry)).toEqual([true, false, false]);
});

it.each([
  [null, NOW + 1, null, "pending"],
  [null, NOW, null, "expired"],
  ["approved", NOW + 1, null, "approved"],
  ["approved", NOW, null, "expired"],
  ["approved", NOW, 1, "done"],
  ["refused", NOW, null, "refused"],
] as const)(
  "a request of an agent that is decided as %s, waits until %s and was done at %s is %s",
  (decision, expiresAt, doneAt, state) => {
    expect(stateOfConfirmation({ decision, expiresAt, doneAt }, NOW)).toBe(state);
  },
);

it.each([
  ["operator", true],
  ["partner_disabled", true],
  ["gone", false],
  ["failing", false],
  ["unregistered", false],
  [null, false],
])("a webhook that is suspended because of %s cannot be resumed by its partner: %s", (suspensionReason, held) =>
  expect(isHeld({ suspensionReason })).toBe(held),
);
