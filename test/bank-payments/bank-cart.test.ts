import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { toInit } from "../../src/bank/init.ts";
import {
  type BankCartRequest,
  contentOfBankCart,
  hasPrices,
  namesPrices,
  planBankCart,
  previewOfBankCart,
  requestOfBankCart,
  withoutListPrices,
  withoutPrices,
} from "../../src/bank-payments/bank-cart.ts";
import { orderOf } from "../../src/bank-payments/create-bank-payment.ts";
import type { RubleProduct } from "../../src/catalogue/ruble-products.ts";
import { systemClock } from "../../src/core/clock.ts";
import { ServiceFailure } from "../../src/core/errors.ts";
import { toMajorUnits } from "../../src/core/money.ts";
import { PLAIN_RECEIPT } from "../../src/core/receipts.ts";
import { failureOf } from "../support/failure.ts";

const TERMINAL = { terminalKey: "t", password: "p", taxation: "osn", settlementDays: 1, receipt: PLAIN_RECEIPT };
const initSchema = z.object({
  Amount: z.int(),
  Receipt: z.object({ Items: z.array(z.object({ Name: z.string(), Price: z.int(), Quantity: z.int(), Amount: z.int() })) }),
});

const NO_RECEIPT = { receiptSubject: null, receiptMethod: null, measurementUnit: null };
const product = (id: number, unitAmount: number) => ({
  id,
  name: `Товар ${id}`,
  unitAmount,
  terminal: "first",
  vat: "none",
  ...NO_RECEIPT,
});

const request = (items: BankCartRequest["items"]): BankCartRequest => ({
  items,
  buyer: { email: "a@example.com", phone: null },
  externalOrderId: null,
  successUrl: null,
  failUrl: null,
  environment: "live",
});

/** A cart of so many lines whose total is within the limit: each line's share of it is bounded. */
const cartWithin = fc.integer({ min: 1, max: 100 }).chain((count) => {
  const share = Math.floor(1_000_000_000 / count);
  const line = fc.integer({ min: 1, max: 9999 }).chain((quantity) =>
    fc.record({
      quantity: fc.constant(quantity),
      price: fc.integer({ min: 1, max: Math.max(1, Math.floor(share / quantity)) }),
      isCatalogues: fc.boolean(),
    }),
  );
  return fc.array(line, { minLength: count, maxLength: count });
});

// interface 9.7
it("makes of any cart a receipt whose lines are price times quantity and sum to the amount, in integers", () => {
  let within = 0;
  fc.assert(
    fc.property(cartWithin, (lines) => {
      const products = lines.map(({ price, isCatalogues }, index) => product(index + 1, isCatalogues ? price : 77));
      const items = lines.map(({ price, isCatalogues, quantity }, index) => ({
        productId: index + 1,
        quantity,
        unitAmount: isCatalogues ? undefined : price,
      }));
      const wanted = lines.map(({ price, quantity }) => BigInt(price) * BigInt(quantity));
      const total = wanted.reduce((sum, amount) => sum + amount, 0n);
      fc.pre(total >= 100n);
      within += 1;
      const plan = planBankCart(request(items), products);
      const message = toInit(orderOf({ clock: systemClock, settings: { apiOrigin: "https://api.example" } }, plan, "order"), TERMINAL);
      const { Amount, Receipt } = initSchema.parse(message);
      expect(BigInt(Amount)).toBe(total);
      expect(Receipt.Items.map((item) => BigInt(item.Amount))).toEqual(wanted);
      for (const [index, item] of Receipt.Items.entries()) {
        expect([item.Price, item.Quantity, item.Name]).toEqual([lines[index]?.price, lines[index]?.quantity, `Товар ${index + 1}`]);
        expect(item.Amount).toBe(item.Price * item.Quantity);
      }
      expect(Math.round(toMajorUnits(plan.amount, "RUB") * 100)).toBe(plan.amount);
    }),
    { numRuns: 300 },
  );
  expect(within).toBe(300);
});

// interface 9.7
it("refuses any cart whose exact total is out of range, and no other", () => {
  const line = fc.record({ price: fc.integer({ min: 1, max: 1_000_000_000 }), quantity: fc.integer({ min: 1, max: 9999 }) });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
      const items = lines.map(({ price, quantity }, index) => ({ productId: index + 1, quantity, unitAmount: price }));
      const products = items.map(({ productId }) => product(productId, 1));
      const total = lines.reduce((sum, { price, quantity }) => sum + BigInt(price) * BigInt(quantity), 0n);
      const plan = () => planBankCart(request(items), products);
      if (total < 100n || total > 1_000_000_000n) expect(plan).toThrow(ServiceFailure);
      else expect(BigInt(plan().amount)).toBe(total);
    }),
    { numRuns: 300 },
  );
});

const two = [product(1, 500), product(2, 700)];
const items: BankCartRequest["items"] = [
  { productId: 1, quantity: 1, unitAmount: undefined },
  { productId: 2, quantity: 2, unitAmount: 600 },
];
const cartOf = (overrides: Partial<BankCartRequest> = {}): BankCartRequest => ({ ...request(items), ...overrides });

describe("a plan", () => {
  // interface 9.2
  it("has the catalogue's names and prices, unless a price is sent", () => {
    expect(planBankCart(cartOf(), two)).toMatchObject({
      terminal: "first",
      amount: 1700,
      lines: [
        { productId: 1, productName: "Товар 1", unitAmount: 500, quantity: 1, amount: 500, vat: "none" },
        { productId: 2, productName: "Товар 2", unitAmount: 600, quantity: 2, amount: 1200, vat: "none" },
      ],
    });
  });

  // interface 9.7
  it("says of each line of the receipt what its product says, and nothing that it does not", () => {
    const said = { receiptSubject: "service", receiptMethod: "advance", measurementUnit: "ч" } as const;
    const receiptOf = (own: Partial<RubleProduct>) => {
      const [line] = planBankCart(request([{ productId: 1, quantity: 1, unitAmount: undefined }]), [{ ...product(1, 500), ...own }]).lines;
      return { subject: line?.subject, method: line?.method, unit: line?.unit, names: Object.keys(line ?? {}).slice(6) };
    };
    expect(receiptOf(said)).toEqual({ subject: "service", method: "advance", unit: "ч", names: ["subject", "method", "unit"] });
    expect(receiptOf({}).names).toEqual([]);
    expect(receiptOf({ ...said, receiptSubject: null }).names).toEqual(["method", "unit"]);
    expect(receiptOf({ ...said, receiptMethod: null }).names).toEqual(["subject", "unit"]);
    expect(receiptOf({ ...said, measurementUnit: null }).names).toEqual(["subject", "method"]);
  });

  it("sells through one terminal: the first product of another one is named", () => {
    const mixed = [product(1, 500), { ...product(2, 700), terminal: "second" }];
    expect(failureOf(() => planBankCart(cartOf(), mixed))).toMatchObject({
      kind: "invalid_input",
      field: "items[1].productId",
      message: expect.stringContaining("product 2 has another tax regime than 1"),
    });
    expect(failureOf(() => planBankCart(request([]), []))).toMatchObject({
      field: "items",
      message: expect.stringContaining("at least one"),
    });
  });

  it.each([
    [99, false],
    [100, true],
    [1_000_000_000, true],
    [1_000_000_001, false],
  ])("of %i kopecks is taken: %s", (unitAmount, isTaken) => {
    const plan = () => planBankCart(request([{ productId: 1, quantity: 1, unitAmount }]), [product(1, 1)]);
    if (isTaken) expect(plan().amount).toBe(unitAmount);
    else expect(failureOf(plan)).toMatchObject({ field: "items", message: expect.stringContaining(`is ${unitAmount} kopecks`) });
  });
});

// interface 9.10
describe("two carts are the same request", () => {
  const content = (cart: BankCartRequest) => JSON.stringify(contentOfBankCart(cart));
  const token = (cart: BankCartRequest) => JSON.stringify(requestOfBankCart(cart));
  const base = cartOf();

  it("without a token: whatever the order of their items, and where their customer goes afterwards", () => {
    const turned = { ...base, items: base.items.toReversed() };
    expect(content(turned)).toBe(content(base));
    expect(content({ ...base, successUrl: "https://a.example", failUrl: "https://b.example" })).toBe(content(base));
  });

  it.each<[string, Partial<BankCartRequest>]>([
    ["quantity", { items: base.items.with(0, { productId: 1, quantity: 2, unitAmount: undefined }) }],
    ["price", { items: base.items.with(0, { productId: 1, quantity: 1, unitAmount: 501 }) }],
    ["wish for the catalogue's price", { items: base.items.with(0, { productId: 1, quantity: 1, unitAmount: 500 }) }],
    ["e-mail", { buyer: { email: "b@example.com", phone: null } }],
    ["phone", { buyer: { email: "a@example.com", phone: "+79031234567" } }],
    ["order number", { externalOrderId: "1" }],
    ["environment", { environment: "test" }],
  ])("but not with another %s", (_what, other) => {
    expect(content(cartOf(other))).not.toBe(content(base));
    expect(token(cartOf(other))).not.toBe(token(base));
  });

  it("without a token: whether they leave out the catalogue's price or name it", () => {
    const named = { ...base, items: base.items.with(0, { productId: 1, quantity: 1, unitAmount: 500 }) };
    const listed = (cart: BankCartRequest, id: number, unitAmount: number) => content(withoutListPrices(cart, [{ id, unitAmount }]));
    expect(listed(named, 1, 500)).toBe(content(base));
    expect(listed(named, 1, 501)).toBe(content(named));
    expect(listed(named, 2, 500)).toBe(content(named));
    for (const unitAmount of [500, 501]) expect(listed(base, 1, unitAmount)).toBe(content(base));
  });

  it("under a token: only where they were sent alike, whatever the catalogue says", () => {
    expect(token({ ...base, items: base.items.toReversed() })).toBe(token(base));
    expect(token({ ...base, items: base.items.with(0, { productId: 1, quantity: 1, unitAmount: 500 }) })).not.toBe(token(base));
    expect(token({ ...base, successUrl: "https://a.example" })).not.toBe(token(base));
    expect(token({ ...base, failUrl: "https://a.example" })).not.toBe(token(base));
  });
});

describe("the lines of a payment have the prices of a request", () => {
  const [line, other] = planBankCart(cartOf(), two).lines;
  const lines = line === undefined || other === undefined ? [] : [line, other];
  const item = (productId: number, unitAmount: number | undefined) => ({ productId, quantity: 1, unitAmount });

  it("if each that it names is that of its product", () => {
    expect(hasPrices(lines, request([item(1, 500), item(2, 600)]))).toBe(true);
    expect(hasPrices(lines, request([item(1, 500), item(2, 601)]))).toBe(false);
    expect(hasPrices(lines, request([item(1, 600)]))).toBe(false);
    expect(hasPrices(lines, request([item(3, 500)]))).toBe(false);
  });

  it("if it names none", () => {
    expect(hasPrices(lines, request([item(1, undefined), item(2, undefined)]))).toBe(true);
    expect(hasPrices(lines, request([item(1, undefined), item(2, 601)]))).toBe(false);
  });
});

it("a preview has what is paid and sold, and nothing of the customer", () => {
  const sold = [
    { productId: 1, quantity: 2, unitAmount: undefined },
    { productId: 2, quantity: 1, unitAmount: 70_00 },
  ];
  const asked = { ...request(sold), successUrl: "https://a.example/ok", failUrl: "https://a.example/no", externalOrderId: "order-1" };
  const plan = planBankCart(asked, [product(1, 50_00), product(2, 60_00)]);
  const preview = previewOfBankCart(plan);
  expect(preview).toMatchObject({
    kind: "ruble_payment",
    environments: ["live"],
    price: { amount: 170_00, currency: "RUB", every: null, trialDays: 0 },
    checkout: {
      paymentMethods: [],
      allowPromotionCodes: false,
      successUrl: "https://a.example/ok",
      failUrl: "https://a.example/no",
      reference: "order-1",
    },
    lines: [
      { productId: "1", name: "Товар 1", quantity: 2, unitAmount: 50_00, amount: 100_00 },
      { productId: "2", name: "Товар 2", quantity: 1, unitAmount: 70_00, amount: 70_00 },
    ],
  });
  expect(JSON.stringify(preview)).not.toContain("a@example.com");
  expect(plan.buyer).toEqual(asked.buyer);
});

it("a price is listed if it is that of its own product, one among several", () => {
  const own = [
    { id: 1, unitAmount: 50 },
    { id: 2, unitAmount: 60 },
  ];
  const item = (productId: number, unitAmount: number) => ({ productId, unitAmount, quantity: 1 });
  const left = withoutListPrices(request([item(1, 50), item(2, 50), item(2, 60)]), own).items.map(({ unitAmount }) => unitAmount);
  expect(left).toEqual([undefined, 50, undefined]);
});

it("a request names a price if one of its items does, and none without its prices", () => {
  const item = (productId: number, unitAmount: number | undefined) => ({ productId, unitAmount, quantity: 2 });
  const [none, one] = [request([item(1, undefined), item(2, undefined)]), request([item(1, undefined), item(2, 70_00)])];
  expect([none, one, withoutPrices(one)].map(namesPrices)).toEqual([false, true, false]);
  expect(withoutPrices(one)).toEqual(none);
});

it("a payment has every price that is named, and any where none is", () => {
  const { lines } = planBankCart(request([{ productId: 1, quantity: 1, unitAmount: undefined }]), [product(1, 50_00)]);
  const has = (unitAmount: number | null | undefined) =>
    hasPrices(lines, request([{ productId: 1, quantity: 1, unitAmount } as BankCartRequest["items"][number]]));
  expect([has(undefined), has(null), has(50_00), has(50_01)]).toEqual([true, true, true, false]);
});
