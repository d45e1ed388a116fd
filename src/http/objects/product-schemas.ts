import * as z from "zod";
import type { CardProductValues, RubleProductValues } from "../../catalogue/admin/products.ts";
import type { Product } from "../../catalogue/admin/store.ts";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { parseJson } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { billingIntervals, linkCurrencies, toMajorUnits } from "../../core/money.ts";
import { moderationStates } from "../../core/object-states.ts";
import { MAX_UNIT_LENGTH, receiptMethods, receiptSubjects } from "../../core/receipts.ts";
import { conflict } from "../calls/refusal.ts";
import { oneLine } from "../one-line.ts";
import { paymentMethodName } from "../schemas.ts";
import { parseInput } from "../shape.ts";
import { wire } from "../wire.ts";

/** The processor's longest billing interval: three years. */
const LONGEST = { day: 1095, week: 156, month: 36, year: 3 } as const;

/** What partners and operators say of a product. */
export const productFields = {
  type: z.enum(["one_time", "subscription"]),
  name: oneLine(250),
  description: z.string().trim().min(1, "must not be empty; null removes it").max(1000).nullish(),
  currency: z.enum(linkCurrencies),
  interval: z.enum(billingIntervals).nullish().describe("Of a subscription"),
  interval_count: z.int().min(1).nullish().describe("Intervals per billing period; default 1"),
  /** The receipt has the whole name. */
  rubleName: oneLine(limits.receiptName.characters),
  vat: z.string().regex(/^(none|vat\d{1,3})$/, "must be none, or vat with the rate in the bank's spelling"),
};

const cardFields = {
  name: productFields.name,
  description: productFields.description,
  currency: productFields.currency,
  unit_amount: z.int().min(limits.cart.minUnitAmount).max(limits.cart.maxUnitAmount).describe("The catalogue price in minor units"),
  interval: productFields.interval,
  interval_count: productFields.interval_count,
  payment_method_types: z
    .array(paymentMethodName)
    .min(1)
    .max(limits.paymentMethods.count)
    .nullish()
    .describe("Its default payment methods"),
  processor_product_id: z
    .string()
    .regex(/^prod_[A-Za-z0-9]{1,200}$/, "must be one of the processor's product ids")
    .nullish()
    .describe("A product that already exists at the processor"),
};

const rubleFields = {
  name: productFields.rubleName,
  currency: z.literal("RUB").default("RUB"),
  unit_amount: z.int().min(1).max(limits.bankCart.maxUnitAmount).describe("The catalogue price in kopecks"),
  terminal: z.string().min(1).max(100).describe("The bank terminal; it determines the tax regime"),
  vat: productFields.vat,
  receipt_subject: z.enum(receiptSubjects).nullish().describe("What it is on the receipt (tag 1212). Left out: as its terminal says"),
  receipt_method: z.enum(receiptMethods).nullish().describe("How it is settled (tag 1214). Left out: as its terminal says"),
  measurement_unit: oneLine(MAX_UNIT_LENGTH)
    .nullish()
    .describe("The unit of its quantity, for a terminal of FFD 1.2. Left out: as its terminal says"),
};

const cardSchema = z
  .strictObject({ kind: z.literal("card"), environment: environmentSchema, type: productFields.type, ...cardFields })
  .superRefine(refusePeriod);

const rubleSchema = z.strictObject({ kind: z.literal("ruble"), id: z.int().min(1).max(999_999_999).optional(), ...rubleFields });

/** A new product of either kind. */
export const newProductSchema = z.discriminatedUnion("kind", [cardSchema, rubleSchema], { error: "must be card or ruble" });

export type NewProduct = z.output<typeof newProductSchema>;

/** A change of a product: missing fields stay unchanged. Kind, environment and type cannot be changed. */
const cardChangeSchema = z.strictObject(cardFields).partial();
const rubleChangeSchema = z.strictObject({ ...rubleFields, currency: z.literal("RUB") }).partial();

/** @throws ServiceFailure `invalid_input` for what a product keeps for good */
function refuseFixed(body: object): void {
  const fixed = ["kind", "environment", "type"].find((name) => name in body);
  if (fixed !== undefined) rejectInput(`${fixed}: cannot be changed; add another product instead`, fixed);
}

/** A change of either kind, as it is described. */
export const productChange = z.union([cardChangeSchema, rubleChangeSchema]);

interface Period {
  readonly type: string;
  readonly interval?: keyof typeof LONGEST | null | undefined;
  readonly interval_count?: number | null | undefined;
}

/** Refuses the period of a new product, if it has a fault. */
export function refusePeriod({ type: kind, interval: unit = null, interval_count: count = null }: Period, context: z.RefinementCtx): void {
  for (const [path, message] of periodFaults(kind, unit, count)) context.addIssue({ code: "custom", path: [path], message });
}

/** Faults in the billing period of a product. */
function periodFaults(kind: string, unit: keyof typeof LONGEST | null, count: number | null): ["interval" | "interval_count", string][] {
  if (kind === "one_time") {
    return [
      ...(unit === null ? [] : [["interval", "is only allowed for a subscription"] satisfies ["interval", string]]),
      ...(count === null ? [] : [["interval_count", "is only allowed for a subscription"] satisfies ["interval_count", string]]),
    ];
  }
  if (unit === null) return [["interval", "is missing: a subscription has day, week, month or year"]];
  return count !== null && count > LONGEST[unit] ? [["interval_count", `must be at most ${LONGEST[unit]} for ${unit}`]] : [];
}

/** The catalogue values of a new card product. */
export function cardValuesOf(product: Extract<NewProduct, { kind: "card" }>): CardProductValues {
  const { environment, name: called, description, type, currency, unit_amount, interval, interval_count, payment_method_types } = product;
  return {
    environment,
    name: called,
    description: description ?? null,
    type,
    currency,
    unitAmount: unit_amount,
    interval: interval ?? null,
    intervalCount: type === "subscription" ? (interval_count ?? 1) : null,
    paymentMethodTypes: payment_method_types == null ? null : JSON.stringify(payment_method_types),
    processorProductId: product.processor_product_id ?? null,
  };
}

/** The catalogue values of a new ruble product. */
export function rubleValuesOf({
  name: called,
  currency,
  unit_amount,
  terminal,
  vat,
  receipt_subject,
  receipt_method,
  measurement_unit,
}: Extract<NewProduct, { kind: "ruble" }>): RubleProductValues {
  return {
    name: called,
    currency,
    unitAmount: unit_amount,
    terminal,
    vat,
    receiptSubject: receipt_subject ?? null,
    receiptMethod: receipt_method ?? null,
    measurementUnit: measurement_unit ?? null,
  };
}

const common = {
  partner_id: z.string(),
  name: z.string(),
  currency: z.string(),
  unit_amount: z.int(),
  moderation: z.enum(moderationStates),
  revision: z.int().describe("Grows with each change: what `seen_revision` of a decision names"),
  amount: z.number().describe("The catalogue price in major units"),
  rejection_reason: z.string().nullable().describe("Why it was rejected; its partner reads it"),
  created_at: z.string(),
  updated_at: z.string(),
};

const cardAnswer = z.object({
  kind: z.literal("card"),
  id: z.string(),
  processor_product_id: z.string().nullable(),
  environment: environmentSchema,
  description: z.string().nullable(),
  type: z.string(),
  interval: z.string().nullable(),
  interval_count: z.int().nullable(),
  payment_method_types: z.array(z.string()).nullable(),
  ...common,
});

const rubleAnswer = z.object({
  kind: z.literal("ruble"),
  id: z.int(),
  terminal: z.string().nullable(),
  vat: z.string().nullable(),
  receipt_subject: z.string().nullable().describe("What it is on the receipt; null: as its terminal says"),
  receipt_method: z.string().nullable(),
  measurement_unit: z.string().nullable(),
  ...common,
});

/** A product of either kind, as operators see it. */
export const productAnswer = productWith({});

/** {@link productAnswer} with further fields. */
export function productWith<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.discriminatedUnion("kind", [cardAnswer.extend(fields), rubleAnswer.extend(fields)]);
}

const textList = z.array(z.string());

const fieldsOfRuble = wire(rubleAnswer);

const fieldsOfCard = wire(cardAnswer);

/** A product for operators. */
export function viewProduct(product: Product): z.input<typeof productAnswer> {
  const amount = toMajorUnits(product.row.unitAmount, product.row.currency);
  if (product.kind === "ruble") return { ...fieldsOfRuble(product.row), kind: "ruble", amount };
  const methods = methodsOf(product.row.paymentMethodTypes);
  return { ...fieldsOfCard(product.row), kind: "card", amount, payment_method_types: methods };
}

/** Null also for a damaged value: the product must stay readable, so that it can be corrected. */
function methodsOf(stored: string | null): string[] | null {
  try {
    return stored === null ? null : parseJson(textList, stored);
  } catch {
    return null;
  }
}

/** The change of a card product that a body asks for. @throws ServiceFailure `invalid_input`; CallRefusal 409 */
export function cardChangeOf(row: Extract<Product, { kind: "card" }>["row"], body: object) {
  refuseFixed(body);
  const { unit_amount, interval_count, payment_method_types, processor_product_id, ...same } = parseInput(cardChangeSchema, body);
  const interval = same.interval === undefined ? row.interval : same.interval;
  const count = interval_count === undefined ? row.intervalCount : interval_count;
  // The stored interval may be damaged; then this call corrects it.
  const known = cardChangeSchema.shape.interval.safeParse(interval);
  const [fault] = periodFaults(row.type, known.data ?? null, count);
  if (fault !== undefined) rejectInput(`${fault[0]}: ${fault[1]}`, fault[0]);
  if (processor_product_id !== undefined && row.processorProductId !== null && processor_product_id !== row.processorProductId) {
    conflict("This product already exists at the processor, and is sold under its id. Add another product instead.");
  }
  return withoutUndefined({
    ...same,
    unitAmount: unit_amount,
    intervalCount: interval_count === null && row.type === "subscription" ? 1 : interval_count,
    processorProductId: processor_product_id,
    paymentMethodTypes: payment_method_types == null ? payment_method_types : JSON.stringify(payment_method_types),
  });
}

/** The change of a ruble product that a body asks for. @throws ServiceFailure `invalid_input` */
export function rubleChangeOf(body: object) {
  refuseFixed(body);
  const { unit_amount, receipt_subject, receipt_method, measurement_unit, ...same } = parseInput(rubleChangeSchema, body);
  return withoutUndefined({
    ...same,
    unitAmount: unit_amount,
    receiptSubject: receipt_subject,
    receiptMethod: receipt_method,
    measurementUnit: measurement_unit,
  });
}

type Defined<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

function withoutUndefined<Values extends object>(values: Values): Defined<Values> {
  // Only entries without a value are left out.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;
}
