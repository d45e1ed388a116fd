import Stripe from "stripe";
import { afterEach, describe, expect, it } from "vitest";
import { CallBudget } from "../../src/core/call-budget.ts";
import { ServiceFailure } from "../../src/core/errors.ts";
import { callProcessor, readCallsUntil } from "../../src/processor/calls.ts";
import { createPaymentLink } from "../../src/processor/links.ts";
import { PaymentMethodsRefused } from "../../src/processor/port.ts";
import { realTime } from "../support/later.ts";
import { virtualTime } from "../support/virtual-time.ts";

afterEach(realTime);

const { errors } = Stripe;
const inTime = () => new CallBudget({ now: () => Date.now() }, 25_000);
type Raw = ConstructorParameters<typeof Stripe.errors.StripeError>[0];
const raw = (fields: object): Raw => ({ message: "the processor's own words", ...fields });

async function failureOf(thrown: unknown, budget = inTime()): Promise<{ failure: unknown; tries: number }> {
  let tries = 0;
  const failure: unknown = await callProcessor(budget, () => {
    tries += 1;
    return Promise.reject(thrown);
  }).catch((caught: unknown) => caught);
  return { failure, tries };
}

/** An outage is tried again as long as the deadline allows: with doubling delays, about ten times. */
const MANY = Number.POSITIVE_INFINITY;

describe("how a call ends", () => {
  it("of a reader after four tries, however much time is left", async () => {
    virtualTime();
    let tries = 0;
    const ask = readCallsUntil(inTime(), () => undefined);
    const asked = ask(() => {
      tries += 1;
      return Promise.reject(new errors.StripeAPIError(raw({ statusCode: 500 })));
    });
    await expect(asked).rejects.toBeInstanceOf(ServiceFailure);
    expect(tries).toBe(4);
  });

  it.each<[string, unknown, { code: string | null; unknown: boolean; tries: number; shown: boolean }]>([
    [
      "a refusal",
      new errors.StripeInvalidRequestError(raw({ statusCode: 400, code: "parameter_missing" })),
      { code: "parameter_missing", unknown: false, tries: 1, shown: true },
    ],
    [
      "a card error",
      new errors.StripeCardError(raw({ statusCode: 402, code: "card_declined" })),
      { code: "card_declined", unknown: false, tries: 1, shown: true },
    ],
    [
      "our key refused",
      new errors.StripeAuthenticationError(raw({ statusCode: 401 })),
      { code: null, unknown: true, tries: 1, shown: false },
    ],
    [
      "our key not allowed",
      new errors.StripePermissionError(raw({ statusCode: 403 })),
      { code: null, unknown: true, tries: 1, shown: false },
    ],
    [
      "a key known with other parameters",
      new errors.StripeIdempotencyError(raw({ statusCode: 400 })),
      { code: null, unknown: true, tries: 1, shown: false },
    ],
    [
      "a stored 500 that is replayed",
      new errors.StripeAPIError(raw({ statusCode: 500, headers: { "idempotent-replayed": "true" } })),
      { code: null, unknown: true, tries: 1, shown: false },
    ],
    // interface E.9
    ["a 500", new errors.StripeAPIError(raw({ statusCode: 500 })), { code: null, unknown: true, tries: MANY, shown: false }],
    ["a 503", new errors.StripeAPIError(raw({ statusCode: 503 })), { code: null, unknown: true, tries: MANY, shown: false }],
    ["a 429", new errors.StripeRateLimitError(raw({ statusCode: 429 })), { code: null, unknown: true, tries: MANY, shown: false }],
    [
      "a lost connection",
      new errors.StripeConnectionError(raw({ message: "An error occurred with our connection" })),
      { code: null, unknown: true, tries: MANY, shown: false },
    ],
  ])("%s", async (_what, thrown, wanted) => {
    virtualTime();
    const { failure, tries } = await failureOf(thrown);
    expect(failure).toBeInstanceOf(ServiceFailure);
    const { error, sideEffects } = failure as ServiceFailure;
    expect(error).toMatchObject({ kind: "upstream_failed", upstream: "processor", code: wanted.code });
    expect(sideEffects).toBe(wanted.unknown ? "unknown" : "none");
    expect(wanted.tries === MANY ? tries > 8 && tries < 13 : tries === wanted.tries).toBe(true);
    expect(JSON.stringify(error).includes("own words")).toBe(wanted.shown);
  });

  // interface G.9
  it("gives each attempt ten seconds, or what is left", async () => {
    const given: number[] = [];
    const send = (timeout: number) => Promise.resolve(given.push(timeout));
    for (const budget of [25_000, 10_000, 4_000]) await callProcessor(new CallBudget({ now: () => 0 }, budget), send);
    expect(given).toEqual([10_000, 10_000, 4_000]);
  });

  it("gives up in time where a wait would be too long", async () => {
    virtualTime();
    const short = new CallBudget({ now: () => Date.now() }, 600);
    const limited = new errors.StripeRateLimitError(raw({ statusCode: 429, headers: { "retry-after": "30" } }));
    expect(await failureOf(limited, short)).toMatchObject({ tries: 1, failure: { error: { kind: "upstream_failed" } } });
    const inUse = new errors.StripeAPIError(raw({ statusCode: 409, code: "idempotency_key_in_use" }));
    const { failure } = await failureOf(inUse, new CallBudget({ now: () => Date.now() }, 900));
    expect(failure).toMatchObject({ error: { kind: "upstream_timeout" }, sideEffects: "unknown" });
  });

  it("passes on a fault of our own as it is", async () => {
    const fault = new TypeError("ours");
    expect(await failureOf(fault)).toEqual({ failure: fault, tries: 1 });
  });
});

// interface L.9
describe("a refused method", () => {
  const link = {
    currency: "USD",
    items: [],
    recurring: null,
    trialDays: 0,
    paymentMethodTypes: ["card", "bancontact", "klarna"],
    allowPromotionCodes: false,
    successUrl: null,
    metadata: {},
  };

  async function refusalOf(error: object): Promise<unknown> {
    const stripe = {
      paymentLinks: { create: () => Promise.reject(new errors.StripeInvalidRequestError(raw({ statusCode: 400, ...error }))) },
    };
    return createPaymentLink({ stripe: stripe as unknown as Stripe, livemode: false, report: () => undefined }, link, {
      key: "k",
      budget: inTime(),
      wasSent: false,
    }).catch((thrown: unknown) => thrown);
  }

  it.each([
    [{ param: "payment_method_types", message: "The payment method type provided: klarna is invalid. Please ensure…" }, "klarna"],
    [{ message: "The payment method type provided: klarna is invalid." }, "klarna"],
    [{ param: "line_items", message: "The payment method type provided: klarna is invalid." }, "klarna"],
    [{ param: "payment_method_types[1]", message: "Invalid payment_method_types[1]: must be one of card, klarna, or link" }, "bancontact"],
    [{ message: "Invalid payment_method_types[1]: must be one of card, klarna, or link" }, "bancontact"],
    [{ param: "payment_method_types", message: "Invalid type bancontact: must be one of card, klarna, or link" }, "bancontact"],
    [{ param: "payment_method_types", message: "Invalid: must be one of `card`, `klarna`" }, ["card", "bancontact", "klarna"]],
    [{ message: "The payment method klarna cannot be used with this link by card." }, "klarna"],
    [
      {
        param: "payment_method_types",
        message: "The currency provided (usd) is invalid. Payments with bancontact support the following currencies: eur.",
      },
      "bancontact",
    ],
    [{ message: "The payment method `klarna` cannot be used in `subscription` mode." }, "klarna"],
    [{ message: "The payment methods `bancontact` and `klarna` cannot be used in `subscription` mode." }, ["bancontact", "klarna"]],
    [{ message: "'klarna' is not supported for accounts in this country." }, "klarna"],
    [{ message: 'Your account must activate "klarna" to create a payment link with it.' }, "klarna"],
    [{ code: "payment_method_unactivated", message: "This account has not activated klarna." }, "klarna"],
    [{ code: "payment_method_unsupported_type", message: "Not for a payment link." }, ["card", "bancontact", "klarna"]],
    [{ param: "payment_method_types", message: "Not available in your country." }, ["card", "bancontact", "klarna"]],
    [
      { param: "payment_method_types", message: "All types provided in payment_method_types are invalid. Please…" },
      ["card", "bancontact", "klarna"],
    ],
  ])("is read from %j", async (error, method) => {
    const refusal = await refusalOf(error);
    expect(refusal).toBeInstanceOf(PaymentMethodsRefused);
    expect((refusal as PaymentMethodsRefused).methods).toEqual([method].flat());
  });

  it.each([
    { param: "line_items", message: "The payment method type provided is invalid." },
    { param: "payment_method_types[7]", message: "Invalid" },
    { param: "after_completion[redirect][url]", message: "Not a valid URL" },
    { message: "You cannot create a payment link for klarna_pay." },
    { message: "No such product: 'prod_klarna'" },
  ])("is not guessed from %j", async (error) => {
    expect(await refusalOf(error)).toBeInstanceOf(ServiceFailure);
  });
});
