import type { RowOf } from "../api/paths.ts";
import type { paths } from "../api/schema.d.ts";
import { minorUnits, shownAmount, twoDecimals, wholeNumber } from "../shared/typed-number.ts";
import { texts } from "../texts/index.ts";

export type Submission = NonNullable<paths["/partner/products"]["post"]["requestBody"]>["content"]["application/json"];
type CardSubmission = Extract<Submission, { kind: "card" }>;

export const currencies = ["USD", "EUR", "GBP", "BRL"] as const satisfies readonly CardSubmission["currency"][];
export const intervals = ["day", "week", "month", "year"] as const;

/** A product as it stands in the form. */
export interface TypedProduct {
  readonly kind: "card" | "ruble";
  readonly name: string;
  readonly description: string;
  readonly amount: string;
  readonly currency: CardSubmission["currency"];
  readonly type: CardSubmission["type"];
  readonly interval: (typeof intervals)[number];
  readonly count: string;
  readonly vat: string;
}

export const emptyProduct: TypedProduct = {
  kind: "card",
  name: "",
  description: "",
  amount: "",
  currency: "USD",
  type: "one_time",
  interval: "month",
  count: "1",
  vat: "",
};

type Known = Pick<
  RowOf<"/partner/products">,
  "kind" | "name" | "description" | "amount" | "currency" | "type" | "interval" | "interval_count" | "vat"
>;

/** A known product in the form. */
export function typedProduct({ kind, name, description, amount, currency, type, interval, interval_count, vat }: Known): TypedProduct {
  return {
    kind,
    name,
    description: description ?? "",
    amount: shownAmount(amount),
    currency: currencies.find((one) => one === currency) ?? emptyProduct.currency,
    type: type === "subscription" ? "subscription" : "one_time",
    interval: intervals.find((one) => one === interval) ?? emptyProduct.interval,
    count: String(interval_count ?? 1),
    vat: vat ?? "",
  };
}

/** The faults of the form, by field. The Worker checks the same and more. */
export function faultsOfProduct({ name, amount, type, kind, count }: TypedProduct): Partial<Record<keyof TypedProduct, string>> {
  const { form } = texts;
  const minor = minorUnits(amount);
  const isSubscription = kind === "card" && type === "subscription";
  return {
    ...(name.trim() === "" ? { name: form.required } : {}),
    ...(minor === undefined ? { amount: form.required } : typeof minor === "string" ? { amount: form.unclearAmount } : {}),
    ...(isSubscription && typeof wholeNumber(count) !== "number" ? { count: form.integer } : {}),
  };
}

/** The body that the form sends. A subscription alone has a period. */
export function submissionOf(typed: TypedProduct, environment: "live" | "test"): Submission {
  const minor = minorUnits(typed.amount);
  const amount = twoDecimals(typeof minor === "number" ? minor : 0);
  const name = typed.name.trim();
  if (typed.kind === "ruble") return { kind: "ruble", name, amount, ...(typed.vat.trim() === "" ? {} : { vat: typed.vat.trim() }) };
  const count = wholeNumber(typed.count);
  return {
    kind: "card",
    environment,
    type: typed.type,
    name,
    currency: typed.currency,
    amount,
    ...(typed.description.trim() === "" ? {} : { description: typed.description.trim() }),
    ...(typed.type === "subscription" ? { interval: typed.interval, interval_count: typeof count === "number" ? count : 1 } : {}),
  };
}
