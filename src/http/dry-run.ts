import * as z from "zod";
import { isoTimeOrNull } from "../core/clock.ts";
import { environmentSchema } from "../core/environment.ts";
import { rejectInput } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { billingIntervals, moneyText, toMajorUnits } from "../core/money.ts";
import { type Preview, type PreviewWarning, previewKinds, previewWarnings } from "../core/preview.ts";
import { plainName } from "./fields.ts";
import { headerValue } from "./headers.ts";

/** The header of a dry run over HTTP. Agents have the argument {@link DRY_RUN_ARGUMENT}. */
export const DRY_RUN_HEADER = "Dry-Run";
export const DRY_RUN_ARGUMENT = "dry_run";

/** The type of its answer over HTTP, so that a description of the operation's own answer stays true. */
export const DRY_RUN_TYPE = "application/vnd.dry-run+json";

/** What a request would make or change. Amounts are integers of minor units. */
export const previewView = z.object({
  kind: z.enum(previewKinds),
  environments: z.array(environmentSchema),
  price: z
    .object({
      amount: z.int().describe("What the customer pays at once, or for each period, in minor units"),
      major_amount: z.number().describe("The same in major units"),
      currency: z.string(),
      text: z.string().describe("The same for people: 38.00 USD"),
      interval: z.enum(billingIntervals).nullable().describe("Of a subscription; null for one payment, as is interval_count"),
      interval_count: z.int().nullable(),
      trial_days: z.int(),
    })
    .nullable()
    .describe("Null for what has no price, such as a promotion code"),
  items: z.array(
    z.object({
      product_id: z.string(),
      name: z.string(),
      quantity: z.int(),
      unit_amount: z.int(),
      amount: z.int(),
      major_amount: z.number(),
    }),
  ),
  discount: z
    .object({
      code: z.string(),
      percent_off: z.int(),
      duration: z.enum(["once", "forever", "repeating"]),
      duration_in_months: z.int().nullable(),
      max_redemptions: z.int().nullable(),
      expires_at: z.string().nullable(),
      product_ids: z.array(z.string()),
    })
    .nullable()
    .describe("The terms of a promotion code"),
  webhooks: z.array(z.object({ environment: environmentSchema, url: z.string() })).describe("Where events go from then on"),
  checkout: z
    .object({
      payment_method_types: z.array(z.string()),
      allow_promotion_codes: z.boolean(),
      success_url: z.string().nullable(),
      fail_url: z.string().nullable(),
      order_reference: z.string().nullable(),
    })
    .nullable()
    .describe("What the customer meets at the checkout, and where they go afterwards"),
  warnings: z.array(z.object({ code: z.enum(previewWarnings), about: z.string().nullable(), message: z.string() })),
});

/** The answer of a dry run. `outcome` is what the same request would do now. */
export const dryRunAnswer = z.object({
  success: z.literal(true),
  dry_run: z.literal(true),
  outcome: z
    .enum(["create", "complete", "repeat"])
    .describe("create: make what would_make says; complete: go on with what an earlier request began; repeat: return answer again"),
  would_make: previewView.nullable().describe("Null with repeat"),
  answer: z.record(z.string(), z.unknown()).nullable().describe("With repeat: what an earlier request with this key made"),
});

export type DryRunAnswer = z.input<typeof dryRunAnswer>;

export const isDryRunAnswer = (answer: Readonly<Record<string, unknown>>): boolean => answer.dry_run === true;

/** Views a preview for partners. */
export function viewPreview({
  kind,
  environments,
  price,
  lines,
  discount,
  receivers,
  checkout,
  warnings,
}: Preview): z.input<typeof previewView> {
  return {
    kind,
    environments,
    price: price && {
      amount: price.amount,
      major_amount: toMajorUnits(price.amount, price.currency),
      currency: price.currency,
      text: moneyText(price.amount, price.currency),
      interval: price.every?.interval ?? null,
      interval_count: price.every?.intervalCount ?? null,
      trial_days: price.trialDays,
    },
    items: lines.map(({ productId, name, quantity, unitAmount, amount }) => ({
      product_id: productId,
      name,
      quantity,
      unit_amount: unitAmount,
      amount,
      major_amount: toMajorUnits(amount, price?.currency ?? ""),
    })),
    discount: discount && {
      code: discount.code,
      percent_off: discount.percentOff,
      duration: discount.duration,
      duration_in_months: discount.durationInMonths,
      max_redemptions: discount.maxRedemptions,
      expires_at: isoTimeOrNull(discount.expiresAt),
      product_ids: discount.productIds,
    },
    webhooks: receivers,
    checkout: checkout && {
      payment_method_types: checkout.paymentMethods,
      allow_promotion_codes: checkout.allowPromotionCodes,
      success_url: checkout.successUrl,
      fail_url: checkout.failUrl,
      order_reference: checkout.reference,
    },
    warnings: warnings.map((warning) => ({ code: warning.code, about: warning.about ?? null, message: messageOf(warning) })),
  };
}

function messageOf({ code, about = "" }: PreviewWarning): string {
  switch (code) {
    case "real_money":
      return "Live: customers pay real money.";
    case "renews":
      return "A subscription: the customer pays each period until it is cancelled.";
    case "payment_method_not_known":
      return `The payment method ${about} is not listed. If the processor refuses it, the link is made without it.`;
    case "payment_method_left_out":
      return `Payment links cannot take ${about}: the link is made without it.`;
    case "no_key":
      return `No client_token: the same content within ${limits.replay.hours} hours gives the same object, and later another one.`;
    case "everything_free":
      return "Customers with this code pay nothing.";
    case "code_without_end":
      return "The code has neither max_redemptions nor expires_at. Only support can end it.";
    case "replaces_url":
      return "If a webhook is registered already, the new address replaces it at once: the former receiver gets nothing more.";
    case "old_secret_ends":
      return `The present secret also signs for ${limits.rotation.days} days, and then no more.`;
    case "needs_confirmation":
      return "A person must confirm this before it is made.";
  }
}

/**
 * Whether the headers ask for a dry run. A typing error must not create anything. @throws ServiceFailure `invalid_input` for
 * another value than true and false, or another spelling of the name
 */
export function asksForDryRun(headers: Headers): boolean {
  const names = [...headers.keys()].filter(isDryRunName);
  const other = names.find((name) => name !== DRY_RUN_HEADER.toLowerCase());
  if (other !== undefined) rejectInput(`the header ${other} is not read; write ${DRY_RUN_HEADER}. Nothing was done`);
  if (names.length === 0) return false;
  const sent = headerValue(headers, DRY_RUN_HEADER)?.toLowerCase() ?? "";
  return readDryRun(sent === "true" ? true : sent === "false" ? false : sent, DRY_RUN_HEADER);
}

/** Whether a request is a dry run, by its header or by an agent's arguments. */
export function isDryRun(headers: Headers, given: unknown): boolean {
  const isAsked = typeof given === "object" && given !== null && DRY_RUN_ARGUMENT in given && given[DRY_RUN_ARGUMENT] === true;
  return isAsked || headerValue(headers, DRY_RUN_HEADER)?.toLowerCase() === "true";
}

/** For a call without a dry run. @throws ServiceFailure `invalid_input` if the headers ask for one: ignored, it would change something */
export function refuseDryRun(headers: Headers): void {
  if (asksForDryRun(headers)) rejectInput(`the header ${DRY_RUN_HEADER} is not read here. Nothing was done`, DRY_RUN_HEADER);
}

/**
 * @throws ServiceFailure `invalid_input` for a body or a query that asks for a dry run: ignored, it would create. `instead` is how the
 * caller asks for one
 */
export function refuseDryRunField(fields: Iterable<string>, instead: string): void {
  const field = [...fields].find(isDryRunName);
  if (field !== undefined) rejectInput(`${field}: is not read; ${instead}. Nothing was done`, field);
}

export const BY_HEADER = `send the header ${DRY_RUN_HEADER}: true`;

const isDryRunName = (name: string) => /^x?dryrun$/.test(plainName(name));

/** Whether an agent asks for a dry run. @throws ServiceFailure `invalid_input` for anything but true and false */
export function readDryRun(sent: unknown, field: string): boolean {
  if (sent === undefined || sent === null) return false;
  return typeof sent === "boolean" ? sent : rejectInput("must be true or false. Nothing was done", field);
}
