import { expect, it } from "vitest";
import { exampleMovement, paymentExample, transactionSchema, viewTransaction } from "../../src/views/transaction.ts";

// interface G.10
it("shows a movement with its amounts in major units (interface P.2)", () => {
  expect(viewTransaction(exampleMovement)).toEqual({
    id: "processor:txn_3PqLk2",
    amount: 77,
    net_amount: 74.47,
    fee: 2.53,
    currency: "USD",
    status: "completed",
    transaction_date: "2026-11-20T08:29:58.000Z",
    description: null,
    environment: "live",
    type: "processor_payment_in",
    is_subscription: false,
    client_reference_id: "order-2041",
    payment_intent_id: "pi_3PqLk2",
    payment_link_id: "plink_1NoPq5",
    subscription_id: null,
    charged_amount: 77,
    charged_currency: "USD",
  });
  const charged = { chargedAmount: -1900, chargedCurrency: "JPY", subscriptionId: "sub_1" };
  expect(viewTransaction({ ...exampleMovement, ...charged })).toMatchObject({
    amount: 77,
    charged_amount: -1900,
    charged_currency: "JPY",
    subscription_id: "sub_1",
  });
  expect(viewTransaction({ ...exampleMovement, chargedAmount: null, chargedCurrency: null }).charged_amount).toBeNull();
  expect(viewTransaction({ ...exampleMovement, currency: "JPY" })).toMatchObject({ amount: 7700, net_amount: 7447, fee: 253 });
  expect(viewTransaction({ ...exampleMovement, amount: -7700 }).amount).toBe(-77);
});

it("shows null for a fee or net amount that is not known, and 0 for one that is", () => {
  expect(viewTransaction({ ...exampleMovement, fee: null, net: null })).toMatchObject({ fee: null, net_amount: null });
  expect(viewTransaction({ ...exampleMovement, fee: 0, net: 0 })).toMatchObject({ fee: 0, net_amount: 0 });
});

// interface P.7
it("fits its own schema", () => {
  expect(transactionSchema.strict().parse(paymentExample)).toEqual(paymentExample);
});

it("has no charged amount where the amount or its currency is not known", () => {
  for (const unknown of [{ chargedAmount: null }, { chargedCurrency: null }])
    expect(viewTransaction({ ...exampleMovement, ...unknown })).toMatchObject({ charged_amount: null });
});
