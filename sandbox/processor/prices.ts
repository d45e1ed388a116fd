import { fixtureEnvironmentOf, fixtureNameOf } from "../fixtures.ts";
import type { ProcessorObject } from "../state.ts";
import { addObject, findObject, getObject, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { branch, type Form, integer, text } from "./form.ts";

const MAX_AMOUNT = 99_999_999;
/** The maximum interval count for each interval. */
const LONGEST: Readonly<Record<string, number>> = { day: 1095, week: 156, month: 36, year: 3 };
const CURRENCIES = new Set(Intl.supportedValuesOf("currency").map((currency) => currency.toLowerCase()));

/** `POST /v1/prices`; `path` is where its parameters are in the request. */
export function createPrice(world: World, form: Form, livemode: boolean, path = ""): ProcessorObject {
  const at = (name: string) => (path === "" ? name : `${path}[${name}]`);
  const product = text(form, "product");
  const currency = text(form, "currency");
  const unitAmount = integer(form, "unit_amount");
  if (product === null) throw invalidRequest(`Missing required param: ${at("product")}.`, at("product"), "parameter_missing");
  if (currency === null) throw invalidRequest(`Missing required param: ${at("currency")}.`, at("currency"), "parameter_missing");
  if (!CURRENCIES.has(currency)) throw invalidRequest(`Invalid currency: ${currency}.`, at("currency"));
  if (unitAmount === null || unitAmount < 0) throw invalidRequest("This value must be greater than or equal to 0.", at("unit_amount"));
  requireProduct(world, product, livemode, at("product"));
  if (unitAmount > MAX_AMOUNT) throw invalidRequest("Amount must be no more than $999,999.99", at("unit_amount"), "amount_too_large");
  const recurring = branch(form, "recurring");
  const interval = text(recurring, "interval");
  const intervalCount = integer(recurring, "interval_count") ?? 1;
  const most = interval === null ? Number.POSITIVE_INFINITY : (LONGEST[interval] ?? 0);
  if (intervalCount > most) throw invalidRequest("The maximum interval is three years.", at("recurring[interval_count]"));
  return addObject(world, "price", {
    object: "price",
    livemode,
    active: true,
    product,
    currency,
    unit_amount: unitAmount,
    unit_amount_decimal: String(unitAmount),
    type: interval === null ? "one_time" : "recurring",
    recurring: interval === null ? null : { interval, interval_count: intervalCount },
    metadata: branch(form, "metadata"),
  });
}

/**
 * A product must exist, in the environment of the key. The fixtures' products are added at their first use, so that the
 * sandbox is empty after a reset. @throws ProcessorError `resource_missing`.
 */
export function requireProduct(world: World, id: string, livemode: boolean, param: string): void {
  const environment = findObject(world, id) === undefined ? fixtureEnvironmentOf(id) : undefined;
  if (environment !== undefined) {
    addObject(world, "prod", { id, object: "product", livemode: environment === "live", active: true, name: fixtureNameOf(id) });
  }
  try {
    getObject(world, "product", id, livemode);
  } catch (thrown) {
    throw invalidRequest(thrown instanceof Error ? thrown.message : "No such product", param, "resource_missing");
  }
}

/** `POST /v1/products`. */
export function createProduct(world: World, form: Form, livemode: boolean): ProcessorObject {
  const ownId = text(form, "id");
  if (ownId !== null && findObject(world, ownId) !== undefined) {
    throw invalidRequest(`Product already exists: '${ownId}'`, "id", "resource_already_exists");
  }
  return addObject(world, "prod", {
    ...(ownId === null ? {} : { id: ownId }),
    object: "product",
    livemode,
    active: form.active !== "false",
    name: text(form, "name"),
    description: text(form, "description"),
    metadata: branch(form, "metadata"),
  });
}

/** `POST /v1/products/:id`. */
export function updateProduct(world: World, id: string, form: Form, livemode: boolean): ProcessorObject {
  const product = getObject(world, "product", id, livemode);
  const active = text(form, "active");
  if (active !== null) product.active = active === "true";
  if (form.name !== undefined) product.name = text(form, "name");
  if (form.description !== undefined) product.description = text(form, "description");
  return product;
}
