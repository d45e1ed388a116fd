import { describe, expect, it } from "vitest";
import { cellCodeOf, DIRECTORY, newIdCode } from "../../src/core/cell-code.ts";
import type { Attribution } from "../../src/ledger/attribution.ts";
import { movementsOf, unbookedRefundOf } from "../../src/ledger/movements-of.ts";
import { partnerEventsOf } from "../../src/ledger/partner-events.ts";
import type { BalanceTransaction, ChargeFacts, PaymentFacts, RefundFacts } from "../../src/processor/facts.ts";

const money = (id: string, amount: number, reportingCategory = "charge"): BalanceTransaction => ({
  id: `txn_${id}`,
  type: "charge",
  amount,
  fee: 85,
  net: amount - 85,
  currency: "USD",
  created: 1_000,
  availableAt: 2_000,
  description: `of ${id}`,
  reportingCategory,
});
const charge = (overrides: Partial<ChargeFacts> = {}): ChargeFacts => ({
  id: "ch_1",
  status: "succeeded",
  amount: 1700,
  currency: "EUR",
  created: 1_000,
  method: null,
  receiptUrl: null,
  description: "a charge",
  transaction: money("in", 1900),
  failureTransaction: null,
  ...overrides,
});
const refund = (overrides: Partial<RefundFacts> = {}): RefundFacts => ({
  id: "re_1",
  status: "succeeded",
  amount: 500,
  currency: "USD",
  created: 1_000,
  transaction: money("refund", -500),
  failureTransaction: null,
  ...overrides,
});
const facts = (overrides: Partial<PaymentFacts> = {}): PaymentFacts => ({
  subscriptionReferenceId: null,
  freeCheckout: null,
  expiredCheckout: null,
  settledInvoiceId: null,
  discount: null,
  buyer: null,
  charge: null,
  refund: null,
  dispute: null,
  transaction: null,
  paymentIntentId: "pi_1",
  metadata: {},
  paymentLinkId: null,
  subscriptionId: null,
  subscription: null,
  clientReferenceId: "order",
  objects: [],
  missing: null,
  ...overrides,
});

const OF_ACME: Attribution = { partnerId: "acme", databaseName: cellCodeOf(1), idCode: newIdCode(cellCodeOf(1)), held: [], why: null };
const OF_NOBODY: Attribution = { partnerId: null, databaseName: DIRECTORY, why: "unknown" };

const shown = (look: PaymentFacts) =>
  movementsOf(look, "test", "acme").map(({ id, type, status, amount, sourceId }) => [id, type, status, amount, sourceId]);
const events = async (look: PaymentFacts) =>
  (await partnerEventsOf(OF_ACME, movementsOf(look, "test", "acme"), look)).map(({ event }) => [event.name, event.cause]);
const of = (id: string) => `processor:txn_${id}`;

const back = { failureTransaction: money("back", -1900) };
const returned = { failureTransaction: money("returned", 500) };
const GONE = money("gone", -1900, "dispute");
const AGAIN = money("again", 1900, "dispute_reversal");
const OPEN = {
  id: "du_1",
  status: "needs_response",
  outcome: null,
  reason: "fraudulent",
  created: 0,
  evidenceDueBy: null,
  amount: 1700,
  currency: "EUR",
  transactions: [GONE],
};
const LOST = { ...OPEN, outcome: "lost" } as const;
const WON = { ...OPEN, outcome: "won", transactions: [GONE, AGAIN] } as const;

/** Every state that a look can find, the movements that it is, and the partner events. */
const CASES: [string, PaymentFacts, unknown[][], string[]][] = [
  ["nothing", facts(), [], []],
  ["a charge without its transaction", facts({ charge: charge({ transaction: null }) }), [], []],
  ["a card that was declined", facts({ charge: charge({ status: "failed", transaction: null }) }), [], []],
  ["a payment", facts({ charge: charge() }), [["in", "processor_payment_in", "completed", 1900, "ch_1"]], ["payment.succeeded:in"]],
  [
    "a slow payment",
    facts({ charge: charge({ status: "pending" }) }),
    [["in", "processor_payment_in", "pending", 1900, "ch_1"]],
    ["payment.pending:in"],
  ],
  [
    "a slow payment that failed, its reversal to come",
    facts({ charge: charge({ status: "failed" }) }),
    [["in", "processor_payment_in", "failed", 1900, "ch_1"]],
    ["payment.failed:in"],
  ],
  [
    "a slow payment that failed",
    facts({ charge: charge({ status: "failed", ...back }) }),
    [
      ["in", "processor_payment_in", "failed", 1900, "ch_1"],
      ["back", "processor_payment_failure", "failed", -1900, "ch_1"],
    ],
    ["payment.failed:in"],
  ],
  [
    "a refund",
    facts({ charge: charge(), refund: refund() }),
    [
      ["in", "processor_payment_in", "completed", 1900, "ch_1"],
      ["refund", "processor_refund", "refunded", -500, "re_1"],
    ],
    ["payment.succeeded:in", "refund.succeeded:refund"],
  ],
  [
    "a refund without a charge",
    facts({ refund: refund() }),
    [["refund", "processor_refund", "refunded", -500, "re_1"]],
    ["refund.succeeded:refund"],
  ],
  ["a refund on its way", facts({ refund: refund({ status: "pending" }) }), [["refund", "processor_refund", "pending", -500, "re_1"]], []],
  ["a refund on its way without a transaction", facts({ refund: refund({ status: "pending", transaction: null }) }), [], []],
  [
    "a refund that failed",
    facts({ refund: refund({ status: "failed", ...returned }) }),
    [
      ["refund", "processor_refund", "failed", -500, "re_1"],
      ["returned", "processor_refund_failure", "failed", 500, "re_1"],
    ],
    ["refund.failed:re_1"],
  ],
  ["an inquiry", facts({ dispute: { ...OPEN, transactions: [] } }), [], []],
  ["a dispute", facts({ dispute: OPEN }), [["gone", "processor_dispute_freeze", "disputed", -1900, "du_1"]], ["dispute.opened:gone"]],
  [
    "a dispute that was lost",
    facts({ dispute: LOST }),
    [["gone", "processor_dispute_freeze", "disputed", -1900, "du_1"]],
    ["dispute.opened:gone", "dispute.lost:gone"],
  ],
  [
    "a dispute that was won",
    facts({ charge: charge(), dispute: WON }),
    [
      ["in", "processor_payment_in", "completed", 1900, "ch_1"],
      ["gone", "processor_dispute_freeze", "disputed", -1900, "du_1"],
      ["again", "processor_dispute_return", "dispute_won", 1900, "du_1"],
    ],
    ["payment.succeeded:in", "dispute.opened:gone", "dispute.won:again"],
  ],
  [
    "a dispute whose money came back before the outcome",
    facts({ dispute: { ...WON, outcome: null } }),
    [
      ["gone", "processor_dispute_freeze", "disputed", -1900, "du_1"],
      ["again", "processor_dispute_return", "completed", 1900, "du_1"],
    ],
    ["dispute.opened:gone"],
  ],
  [
    "a dispute that was lost but for a part, with an exchange rate set right",
    facts({
      dispute: {
        ...LOST,
        transactions: [
          GONE,
          money("rate", -3, "other_adjustment"),
          money("part", 400, "dispute_reversal"),
          money("zero", 0, "other_adjustment"),
        ],
      },
    }),
    [
      ["gone", "processor_dispute_freeze", "disputed", -1900, "du_1"],
      ["rate", null, "completed", -3, "du_1"],
      ["part", "processor_dispute_return", "completed", 400, "du_1"],
      ["zero", null, "completed", 0, "du_1"],
    ],
    ["dispute.opened:gone", "dispute.lost:gone"],
  ],
  [
    "a dispute with transactions of an unexpected sign or category",
    facts({
      dispute: {
        ...OPEN,
        transactions: [
          money("none", 0, "dispute"),
          money("plus", 5, "dispute"),
          money("other", 5, "other_adjustment"),
          money("nothing", 0, "dispute_reversal"),
          money("minus", -5, "dispute_reversal"),
        ],
      },
    }),
    [
      ["none", null, "completed", 0, "du_1"],
      ["plus", null, "completed", 5, "du_1"],
      ["other", null, "completed", 5, "du_1"],
      ["nothing", null, "completed", 0, "du_1"],
      ["minus", null, "completed", -5, "du_1"],
    ],
    [],
  ],
  [
    "a dispute whose money was taken and given back twice",
    facts({
      dispute: { ...WON, transactions: [GONE, AGAIN, money("gone2", -1900, "dispute"), money("again2", 1900, "dispute_reversal")] },
    }),
    [
      ["gone", "processor_dispute_freeze", "disputed", -1900, "du_1"],
      ["again", "processor_dispute_return", "dispute_won", 1900, "du_1"],
      ["gone2", "processor_dispute_freeze", "disputed", -1900, "du_1"],
      ["again2", "processor_dispute_return", "dispute_won", 1900, "du_1"],
    ],
    ["dispute.opened:gone", "dispute.won:again"],
  ],
  [
    "a transaction that was asked for and is the charge's",
    facts({ charge: charge(), transaction: money("in", 1900) }),
    [["in", "processor_payment_in", "completed", 1900, "ch_1"]],
    ["payment.succeeded:in"],
  ],
  [
    "a transaction that was asked for and is nobody's",
    facts({ transaction: money("stray", -7) }),
    [["stray", null, "completed", -7, null]],
    [],
  ],
  [
    "a third transaction of a dispute that does not list it",
    facts({ dispute: OPEN, transaction: money("third", -1) }),
    [
      ["gone", "processor_dispute_freeze", "disputed", -1900, "du_1"],
      ["third", null, "completed", -1, "du_1"],
    ],
    ["dispute.opened:gone"],
  ],
];

// interface P.3, P.5
it.each(CASES)("shows %s", async (_what, look, movements, named) => {
  expect(shown(look)).toEqual(movements.map(([id, ...rest]) => [of(String(id)), ...rest]));
  expect(await events(look)).toEqual(
    named.map((one) => {
      const [name, id] = one.split(":");
      // A failed refund has one event, whether it was booked or not.
      return [`Processor.${name}`, `${name}:${name === "refund.failed" ? String(id) : of(String(id))}`];
    }),
  );
});

it.each([
  ["payment_failure_refund", "processor_payment_failure", "failed"],
  ["refund_failure", "processor_refund_failure", "failed"],
  ["payment_refund", null, "completed"],
])("knows a %s that nothing refers to by its type", (type, wanted, status) => {
  expect(shown(facts({ charge: charge({ transaction: null }), transaction: { ...money("lone", -1900), type } }))).toEqual([
    [of("lone"), wanted, status, -1900, "ch_1"],
  ]);
});

describe("a refund that failed before it was booked", () => {
  const unbooked = facts({ charge: charge(), refund: refund({ status: "failed", transaction: null }) });

  it("has the form of a movement of what was to be given back, and no row", () => {
    expect(unbookedRefundOf(unbooked, "test", "acme")).toEqual({
      id: "processor:re_1",
      availableAt: null,
      partnerId: "acme",
      environment: "test",
      amount: -500,
      fee: null,
      net: null,
      currency: "USD",
      transactionDate: 1_000,
      description: null,
      type: "processor_refund",
      status: "failed",
      sourceId: "re_1",
      isSubscription: false,
      clientReferenceId: "order",
      paymentIntentId: "pi_1",
      paymentLinkId: null,
      chargedAmount: -500,
      chargedCurrency: "USD",
      subscriptionId: null,
    });
    expect(shown(unbooked).map(([id]) => id)).toEqual([of("in")]);
  });

  it.each<[string, Partial<RefundFacts> | null]>([
    ["no refund", null],
    ["one on its way", { status: "pending", transaction: null }],
    ["one that went out", { status: "succeeded", transaction: null }],
    ["one that was booked", { status: "failed" }],
  ])("is not %s", (_what, given) => {
    expect(unbookedRefundOf(facts({ refund: given === null ? null : refund(given) }), "test", "acme")).toBeNull();
  });
});

// interface 5.4
it("gives every movement what is known of the payment, in the transaction's own amounts", () => {
  const look = facts({ charge: charge(), refund: refund(), subscriptionId: "sub_1" });
  for (const movement of movementsOf(look, "live", "globex")) {
    expect(movement).toMatchObject({
      partnerId: "globex",
      environment: "live",
      paymentIntentId: "pi_1",
      clientReferenceId: "order",
      subscriptionId: "sub_1",
      isSubscription: true,
      fee: 85,
      net: movement.amount - 85,
      transactionDate: 1_000,
    });
  }
  expect(movementsOf(facts({ charge: charge() }), "live", "globex")[0]).toMatchObject({ isSubscription: false, subscriptionId: null });
  const [paid, refunded] = movementsOf(look, "live", "globex");
  expect([paid?.description, refunded?.description]).toEqual(["a charge", "of refund"]);
});

describe("whoever adds up", () => {
  const failures = [facts({ charge: charge({ status: "failed", ...back }) }), facts({ refund: refund({ status: "failed", ...returned }) })];
  it.each(failures)("all rows, or all that did not fail, comes to the same sum", (look) => {
    const rows = movementsOf(look, "test", "acme");
    const sum = (some: typeof rows) => some.reduce((total, { amount }) => total + amount, 0);
    expect(sum(rows)).toBe(0);
    expect(sum(rows.filter(({ status }) => status !== "failed"))).toBe(0);
  });
});

it("tells nobody of what nobody is known to own", async () => {
  const look = facts({ charge: charge(), refund: refund(), dispute: WON });
  expect(await partnerEventsOf(OF_NOBODY, movementsOf(look, "test", null), look)).toEqual([]);
});

describe("what the customer was charged", () => {
  const chargedOf = (look: PaymentFacts) =>
    movementsOf(look, "live", "acme").map(({ type, chargedAmount, chargedCurrency }) => [type, chargedAmount, chargedCurrency]);

  it.each<[string, PaymentFacts, unknown[][]]>([
    ["a payment", facts({ charge: charge() }), [["processor_payment_in", 1700, "EUR"]]],
    [
      "one that failed after all",
      facts({ charge: charge({ status: "failed", ...back }) }),
      [
        ["processor_payment_in", 1700, "EUR"],
        ["processor_payment_failure", -1700, "EUR"],
      ],
    ],
    [
      "a refund that failed",
      facts({ refund: refund({ status: "failed", ...returned }) }),
      [
        ["processor_refund", -500, "USD"],
        ["processor_refund_failure", 500, "USD"],
      ],
    ],
    [
      "a dispute that was won",
      facts({ dispute: WON }),
      [
        ["processor_dispute_freeze", -1700, "EUR"],
        ["processor_dispute_return", 1700, "EUR"],
      ],
    ],
    [
      "a dispute of which a part came back",
      facts({ dispute: { ...LOST, transactions: [GONE, money("again", 900, "dispute_reversal")] } }),
      [
        ["processor_dispute_freeze", -1700, "EUR"],
        ["processor_dispute_return", null, null],
      ],
    ],
    [
      "a dispute that was won, whose money came back at another rate",
      facts({ dispute: { ...WON, transactions: [GONE, money("again", 1880, "dispute_reversal")] } }),
      [
        ["processor_dispute_freeze", -1700, "EUR"],
        ["processor_dispute_return", 1700, "EUR"],
      ],
    ],
    [
      "a dispute that was won, whose money came back at another rate, beside what moved nothing",
      facts({ dispute: { ...WON, transactions: [GONE, money("none", 0, "dispute_reversal"), money("again", 1880, "dispute_reversal")] } }),
      [
        ["processor_dispute_freeze", -1700, "EUR"],
        [null, null, null],
        ["processor_dispute_return", 1700, "EUR"],
      ],
    ],
    [
      "a dispute that was won, whose money came back in two parts",
      facts({ dispute: { ...WON, transactions: [GONE, money("again", 1800, "dispute_reversal"), money("rest", 90, "dispute_reversal")] } }),
      [
        ["processor_dispute_freeze", -1700, "EUR"],
        ["processor_dispute_return", null, null],
        ["processor_dispute_return", null, null],
      ],
    ],
    [
      "a dispute in the currency of its charge, of which less came back",
      facts({ dispute: { ...WON, currency: "USD", amount: 1900, transactions: [GONE, money("again", 1880, "dispute_reversal")] } }),
      [
        ["processor_dispute_freeze", -1900, "USD"],
        ["processor_dispute_return", null, null],
      ],
    ],
    [
      "a dispute with two withdrawals",
      facts({ dispute: { ...OPEN, transactions: [GONE, money("gone2", -1900, "dispute")] } }),
      [
        ["processor_dispute_freeze", null, null],
        ["processor_dispute_freeze", null, null],
      ],
    ],
    ["a transaction that nothing refers to", facts({ transaction: money("alone", 100) }), [[null, null, null]]],
  ])("is known of %s", (_what, look, wanted) => expect(chargedOf(look)).toEqual(wanted));

  it("goes with the link of the payment", () => {
    const look = facts({ charge: charge(), refund: refund(), paymentLinkId: "plink_1" });
    expect(movementsOf(look, "live", "acme").map(({ paymentLinkId }) => paymentLinkId)).toEqual(["plink_1", "plink_1"]);
  });
});

it("says what the customer was charged of a disputed payment only where one withdrawal, and its return, cover it", () => {
  const charged = (...transactions: BalanceTransaction[]) =>
    movementsOf(facts({ dispute: { ...OPEN, transactions } }), "test", "acme").map(({ chargedAmount, chargedCurrency }) => [
      chargedAmount,
      chargedCurrency,
    ]);
  expect(charged(GONE)).toEqual([[-1700, "EUR"]]);
  expect(charged(GONE, AGAIN)).toEqual([
    [-1700, "EUR"],
    [1700, "EUR"],
  ]);
  expect(charged(GONE, money("part", 400, "dispute_reversal"))).toEqual([
    [-1700, "EUR"],
    [null, null],
  ]);
  expect(charged(GONE, money("more", -100, "dispute"))).toEqual([
    [null, null],
    [null, null],
  ]);
  // What moved nothing is no second withdrawal, and what came back without one says nothing of the payment.
  expect(charged(GONE, money("none", 0, "dispute"))).toEqual([
    [-1700, "EUR"],
    [null, null],
  ]);
  expect(charged(AGAIN)).toEqual([[null, null]]);
  // A correction of the same size is no withdrawal of the payment.
  expect(charged(money("other", -1900, "other_adjustment"))).toEqual([[null, null]]);
  expect(charged(GONE, money("other", 1900, "other_adjustment"))).toEqual([
    [-1700, "EUR"],
    [null, null],
  ]);
});
