import * as z from "zod";
import type { listBankPayments } from "../../bank-payments/list-payments.ts";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { parseJson } from "../../core/json.ts";
import { toMajorUnits } from "../../core/money.ts";
import type { PartnerDeps } from "../../deps.ts";
import type { ListedLink } from "../../links/admin/links.ts";
import type { listPromotionCodes } from "../../promotions/list-codes.ts";
import type { SubscriptionRow } from "../../subscriptions/list-subscriptions.ts";

type RowOf<List extends (...given: never[]) => Promise<{ readonly rows: readonly object[] }>> = Awaited<ReturnType<List>>["rows"][number];

/** Who created an object. */
const holderField = z
  .string()
  .nullable()
  .describe("Who created it, as in the audit log: `holder of key_…`, `agent grant_… of key_…`, `person emp_…`, or an operator");

/** A payment link in a list, for its partner. */
export const linkView = z.object({
  payment_link_id: z.string(),
  environment: environmentSchema,
  short_url: z.string().nullable().describe("What customers get; null until it is issued: repeat the creation"),
  source: z.enum(["moderation", "product", "cart"]).describe("What the link was made for; `moderation`: the first link of a product"),
  mode: z.enum(["one_time", "subscription"]),
  currency: z.string(),
  created_at: z.string(),
  disabled_at: z.string().nullable().describe("Since when it takes no payments"),
  holder: holderField,
});

type LinkRow = Pick<ListedLink, "id" | "source" | "mode" | "currency" | "slug" | "createdAt" | "disabledAt" | "environment" | "holder">;

export function viewLink({ settings }: Pick<PartnerDeps, "settings">, row: LinkRow): z.input<typeof linkView> {
  return {
    payment_link_id: row.id,
    environment: row.environment,
    short_url: row.slug === null ? null : `${settings.shortLinkOrigin}/${row.slug}`,
    source: row.source,
    mode: row.mode,
    currency: row.currency,
    created_at: isoTime(row.createdAt),
    disabled_at: isoTimeOrNull(row.disabledAt),
    holder: row.holder,
  };
}

/** What came through a link, by kind, status and currency. */
export const sumView = z.object({
  type: z.string().nullable().describe("As in operation 5"),
  status: z.string(),
  currency: z.string().describe("The settlement currency"),
  count: z.int(),
  amount: z.number().describe("In major units, signed"),
});

export const subscriptionView = z.object({
  subscription_id: z.string(),
  environment: environmentSchema,
  status: z.string().describe("The processor's status, such as active, past_due or canceled"),
  cancel_at_period_end: z.boolean(),
  cancel_at: z.string().nullable(),
  current_period_end: z.string().nullable(),
  collection_paused: z.boolean().describe("Whether no payments are collected for it now"),
  payment_link_id: z.string().nullable().describe("The link that started it"),
  client_reference_id: z.string().nullable().describe("The order reference from its checkout"),
  updated_at: z.string().describe("When the processor last reported its state"),
});

export const viewSubscription = (row: SubscriptionRow): z.input<typeof subscriptionView> => ({
  subscription_id: row.id,
  environment: row.environment,
  status: row.status,
  cancel_at_period_end: row.cancelAtPeriodEnd,
  cancel_at: isoTimeOrNull(row.cancelAt),
  current_period_end: isoTimeOrNull(row.currentPeriodEnd),
  collection_paused: row.collectionPaused,
  payment_link_id: row.paymentLinkId,
  client_reference_id: row.clientReferenceId,
  updated_at: isoTime(row.updatedAt),
});

const productIds = z.array(z.string());

export const codeView = z.object({
  promotion_code_id: z.string(),
  environment: environmentSchema,
  code: z.string().describe("What customers enter"),
  product_ids: productIds,
  percent_off: z.int(),
  duration: z.enum(["once", "forever", "repeating"]),
  duration_in_months: z.int().nullable(),
  max_redemptions: z.int().nullable().describe("Null: no limit"),
  expires_at: z.string().nullable().describe("Null: never"),
  created_at: z.string(),
  deactivated_at: z.string().nullable().describe("Since when customers cannot enter it"),
  holder: holderField,
});

export const viewCode = (row: Omit<RowOf<typeof listPromotionCodes>, "recordId" | "at">): z.input<typeof codeView> => ({
  promotion_code_id: row.id,
  environment: row.environment,
  code: row.code,
  product_ids: parseJson(productIds, row.productIds),
  percent_off: row.percentOff,
  duration: row.duration,
  duration_in_months: row.durationInMonths,
  max_redemptions: row.maxRedemptions,
  expires_at: isoTimeOrNull(row.expiresAt),
  created_at: isoTime(row.createdAt),
  deactivated_at: isoTimeOrNull(row.deactivatedAt),
  holder: row.holder,
});

export const bankPaymentView = z.object({
  payment_id: z.int().describe("As the creation answered it"),
  environment: environmentSchema,
  order_id: z.string(),
  external_order_id: z.string().nullable().describe("The partner's order number"),
  status: z.string().describe("The bank's status, such as NEW, CONFIRMED or CANCELED"),
  amount_rub: z.number(),
  amount_kopecks: z.int(),
  created_at: z.string(),
  paid_at: z.string().nullable(),
  holder: holderField,
});

export const viewBankPayment = (row: RowOf<typeof listBankPayments>): z.input<typeof bankPaymentView> => ({
  payment_id: row.paymentId,
  environment: row.environment,
  order_id: row.id,
  external_order_id: row.externalOrderId,
  status: row.status,
  amount_rub: toMajorUnits(row.amountKopecks, "RUB"),
  amount_kopecks: row.amountKopecks,
  created_at: isoTime(row.createdAt),
  paid_at: isoTimeOrNull(row.paidAt),
  holder: row.holder,
});
