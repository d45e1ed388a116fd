import * as z from "zod";
import { environmentSchema } from "./environment.ts";
import { billingIntervals } from "./money.ts";

/** What a changing operation makes or changes. */
export const previewKinds = ["payment_link", "promotion_code", "ruble_payment", "webhook", "signing_secret"] as const;

/** What a caller should know before it sends a request, by code. A surface has the words. */
export const previewWarnings = [
  "real_money",
  "renews",
  "payment_method_not_known",
  "payment_method_left_out",
  "no_key",
  "everything_free",
  "code_without_end",
  "replaces_url",
  "old_secret_ends",
  "needs_confirmation",
] as const;

const warningSchema = z.object({
  code: z.enum(previewWarnings),
  /** What it is about, such as the payment method; absent if that is clear. */
  about: z.string().optional(),
});

export type PreviewWarning = z.infer<typeof warningSchema>;

/**
 * What a request would make, as far as it is known before its first side effect. Amounts are integers of minor units, times Unix
 * milliseconds. It has all that a person should see who confirms it, and nothing about the customer. A schema, because it is stored with
 * a request that waits for a person.
 */
export const previewSchema = z.object({
  kind: z.enum(previewKinds),
  environments: z.array(environmentSchema).min(1),
  /** What a customer pays at once, or for each period. Null if it has no amount. */
  price: z
    .object({
      amount: z.int(),
      currency: z.string(),
      every: z.object({ interval: z.enum(billingIntervals), intervalCount: z.int() }).nullable(),
      trialDays: z.int(),
    })
    .nullable(),
  lines: z.array(z.object({ productId: z.string(), name: z.string(), quantity: z.int(), unitAmount: z.int(), amount: z.int() })),
  /** The terms of a promotion code; null otherwise. */
  discount: z
    .object({
      code: z.string(),
      percentOff: z.int(),
      duration: z.enum(["once", "forever", "repeating"]),
      durationInMonths: z.int().nullable(),
      maxRedemptions: z.int().nullable(),
      expiresAt: z.int().nullable(),
      productIds: z.array(z.string()),
    })
    .nullable(),
  /** Where events go from now on. */
  receivers: z.array(z.object({ environment: environmentSchema, url: z.string() })),
  /** What a customer meets at the checkout, and where they go afterwards; null for what has none. */
  checkout: z
    .object({
      paymentMethods: z.array(z.string()),
      allowPromotionCodes: z.boolean(),
      successUrl: z.string().nullable(),
      failUrl: z.string().nullable(),
      reference: z.string().nullable(),
    })
    .nullable(),
  warnings: z.array(warningSchema),
});

export type Preview = z.infer<typeof previewSchema>;

/** A preview of the named parts; the others are empty. */
export function previewOf(parts: Pick<Preview, "kind" | "environments"> & Partial<Preview>): Preview {
  const { environments, warnings = [] } = parts;
  const isReal = environments.includes("live") && (parts.price ?? null) !== null;
  return {
    price: null,
    lines: [],
    discount: null,
    receivers: [],
    checkout: null,
    ...parts,
    warnings: isReal ? [{ code: "real_money" }, ...warnings] : [...warnings],
  };
}

export const withWarning = (preview: Preview, code: PreviewWarning["code"]): Preview => ({
  ...preview,
  warnings: [...preview.warnings, { code }],
});

/** What a caller may start. A new run that the rule holds is not started: {@link NotStarted} says what it would have made. */
export interface StartRule {
  readonly holds: (preview: Preview) => boolean;
  /** Whether nothing at all may be done: an interrupted run is not resumed, either. */
  readonly isDryRun: boolean;
}

/** Thrown instead of a run that the caller's {@link StartRule} holds. */
export class NotStarted extends Error {
  readonly preview: Preview;
  /** Whether an earlier request with this key has begun, so that the same request would complete it. */
  readonly isBegun: boolean;

  constructor(preview: Preview, isBegun = false) {
    super("not started");
    this.name = "NotStarted";
    this.preview = preview;
    this.isBegun = isBegun;
  }
}

/** @throws NotStarted if the rule holds what the preview says. For work that needs no idempotency record. */
export function startOrHold(rule: StartRule | undefined, preview: () => Preview): void {
  if (rule === undefined) return;
  const what = preview();
  if (rule.holds(what)) throw new NotStarted(what);
}
