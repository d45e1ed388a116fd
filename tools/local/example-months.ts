import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { cellCodeOf, newIdCode } from "../../src/core/cell-code.ts";
import type { Environment } from "../../src/core/environment.ts";
import type {
  bankPayments,
  deliveryAttempts,
  disputes,
  events,
  movements,
  paymentLinks,
  promotionCodes,
  refusedRequests,
  subscriptions,
} from "../../src/db/schema/index.ts";
import { storedLines } from "../../src/links/store.ts";
import { storedItems } from "../../src/orders/items.ts";
import type { OrderFacts } from "../../src/orders/store.ts";
import { storedPrices } from "../../src/subscriptions/items.ts";
import { transactionEvents } from "../../src/webhooks/outbox/events/transaction-events.ts";

type Row<Table extends { $inferInsert: object }> = Table["$inferInsert"];
type MovementRow = typeof movements.$inferSelect & { partnerId: string };
type EventName = keyof typeof transactionEvents;

const DAY = 24 * 60 * 60_000;
const PARTNER = "acme";
const CELL = cellCodeOf(1);

/** Rows of some months of a busy partner, for the eye and for measures. Nothing of it exists at the sandbox. */
export interface ExampleMonths {
  readonly links: Row<typeof paymentLinks>[];
  readonly movements: MovementRow[];
  /** What the movements do not say of the orders. */
  readonly orders: OrderFacts[];
  readonly disputes: (typeof disputes.$inferSelect)[];
  readonly events: Row<typeof events>[];
  readonly attempts: Row<typeof deliveryAttempts>[];
  readonly subscriptions: Row<typeof subscriptions>[];
  readonly codes: Row<typeof promotionCodes>[];
  readonly bankPayments: (typeof bankPayments.$inferSelect)[];
  readonly refusals: Row<typeof refusedRequests>[];
}

interface Wanted {
  readonly environment: Environment;
  /** The number of payments in all. */
  readonly payments: number;
  readonly days: number;
  /** Unix milliseconds. */
  readonly now: number;
  readonly seed: number;
  readonly shortLinkOrigin: string;
}

const PRICES = [1900, 2900, 4900, 9900, 14_900];
const CURRENCIES = ["USD", "USD", "USD", "EUR", "GBP"] as const;

/**
 * Makes the rows. The same seed gives the same rows for the same moment. Payments grow from month to month and are fewer on
 * weekends; some are refunded, disputed or late, and some deliveries failed.
 */
export async function exampleMonths(wanted: Wanted): Promise<ExampleMonths> {
  const { environment, payments, days, now } = wanted;
  const draw = drawer(wanted.seed + (environment === "live" ? 0 : 1));
  const made: ExampleMonths = {
    links: linksOf(wanted, draw),
    movements: [],
    orders: [],
    disputes: [],
    events: [],
    attempts: [],
    subscriptions: subscriptionsOf(wanted, draw),
    codes: codesOf(wanted),
    bankPayments: bankPaymentsOf(wanted, draw),
    refusals: environment === "test" ? refusalsOf(wanted) : [],
  };
  const weights = Array.from({ length: days }, (_, index) => weightOf(now - (days - 1 - index) * DAY, index / days, draw));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  for (const [index, weight] of weights.entries()) {
    const count = Math.round((weight / sum) * payments);
    const start = now - (days - 1 - index) * DAY;
    for (let number = 0; number < count; number += 1) {
      const at = momentOf(start, now, draw);
      await addPayment(made, { environment, at, number: made.movements.length + 1, now }, draw);
    }
  }
  return made;
}

type Draw = (least: number, most: number) => number;

function drawer(seed: number): Draw {
  const generator = xoroshiro128plus(seed);
  return (least, most) => uniformInt(generator, least, most);
}

/** A moment of the day: most people buy between morning and night. Today has only what is over. */
function momentOf(day: number, now: number, draw: Draw): number {
  const start = day - (day % DAY);
  const at = start + draw(7 * 60, 23 * 60 - 1) * 60_000 + draw(0, 59_999);
  return at < now ? at : start + draw(0, Math.max(1, now - start - 1));
}

/** How busy a day is: more from month to month, fewer on weekends. */
function weightOf(at: number, progress: number, draw: Draw): number {
  const weekend = [0, 6].includes(new Date(at).getUTCDay()) ? 0.55 : 1;
  return (0.5 + progress) * weekend * (0.75 + draw(0, 50) / 100);
}

interface Paid {
  readonly environment: Environment;
  readonly at: number;
  readonly number: number;
  readonly now: number;
}

const idOf = (kind: string, environment: Environment, number: number) => `${kind}_example${environment}${String(number).padStart(6, "0")}`;

/** A payment, and what followed it. */
async function addPayment(made: ExampleMonths, { environment, at, number, now }: Paid, draw: Draw): Promise<void> {
  const isSubscription = draw(1, 100) <= 18;
  const drawn = (PRICES[draw(0, PRICES.length - 1)] ?? 1900) * draw(1, 2);
  // Each period of a subscription costs the same, in one currency, through the link that it began with.
  const currency = isSubscription ? "USD" : (CURRENCIES[draw(0, CURRENCIES.length - 1)] ?? "USD");
  const amount = isSubscription ? 1900 : drawn;
  const fee = Math.round(amount * 0.029) + 30;
  const link = made.links[isSubscription ? 0 : draw(0, made.links.length - 1)];
  const isFailed = draw(1, 100) <= 3;
  const isPending = !isFailed && now - at < 2 * DAY && draw(1, 100) <= 8;
  const payment: MovementRow = {
    id: `processor:${idOf("txn", environment, number)}`,
    partnerId: PARTNER,
    environment,
    amount,
    fee,
    net: amount - fee,
    currency,
    status: isFailed ? "failed" : isPending ? "pending" : "completed",
    type: "processor_payment_in",
    transactionDate: at,
    description: null,
    isSubscription,
    clientReferenceId: isSubscription ? null : `order-${2000 + number}`,
    paymentIntentId: idOf("pi", environment, number),
    paymentLinkId: link?.id ?? null,
    chargedAmount: amount,
    chargedCurrency: currency,
    sourceId: idOf("ch", environment, number),
    subscriptionId: isSubscription ? idOf("sub", environment, draw(1, 40)) : null,
    availableAt: at + 2 * DAY,
    bookedAt: at,
    updatedAt: at,
    recordedEvents: "",
  };
  made.orders.push(orderOf(payment, isFailed, draw));
  await add(made, payment, isPending ? "paymentPending" : "paymentSucceeded", now, draw);
  const follow = async (
    kind: string,
    type: MovementRow["type"],
    status: MovementRow["status"],
    name: EventName,
    afterDays: number,
    size: number,
  ) => {
    const later = at + afterDays * DAY + draw(0, DAY / 2);
    if (later >= now) return;
    const extra = type === "processor_dispute_freeze" ? 1500 : 0;
    const row: MovementRow = {
      ...payment,
      id: `processor:${idOf(kind, environment, number)}`,
      amount: -size,
      fee: extra,
      net: -size - extra,
      status,
      type,
      transactionDate: later,
      availableAt: later + 2 * DAY,
      bookedAt: later,
      chargedAmount: -size,
      sourceId: idOf(`${kind}s`, environment, number),
      updatedAt: later,
    };
    const dispute = extra === 0 ? null : disputeOf(row, later, now);
    if (dispute !== null) made.disputes.push(dispute);
    await add(made, row, name, now, draw, dispute);
  };
  if (isFailed) await follow("fail", "processor_payment_failure", "failed", "paymentFailed", 1, amount);
  else if (draw(1, 100) <= 5) {
    const part = draw(1, 3) === 1 ? Math.round(amount / 2) : amount;
    await follow("re", "processor_refund", "refunded", "refundSucceeded", draw(1, 6), part);
  } else if (draw(1, 100) <= 1) await follow("du", "processor_dispute_freeze", "disputed", "disputeOpened", draw(4, 12), amount);
}

/** Evidence is due two weeks later. None is given, so the dispute is lost then. */
function disputeOf(row: MovementRow, createdAt: number, now: number): ExampleMonths["disputes"][number] {
  const evidenceDueBy = createdAt + 14 * DAY;
  return {
    id: row.sourceId ?? "",
    partnerId: row.partnerId,
    environment: row.environment,
    paymentIntentId: row.paymentIntentId,
    clientReferenceId: row.clientReferenceId,
    amount: -row.amount,
    currency: row.currency,
    reason: "product_not_received",
    status: evidenceDueBy < now ? "lost" : "needs_response",
    evidenceDueBy,
    noticedDays: null,
    createdAt,
    updatedAt: createdAt,
  };
}

const BUYERS = ["Ada Example", "Bo Example", "Cleo Example", "Dan Example", "Eva Example", "Finn Example"];
const METHODS = [
  ["card", "Visa ···· 4242"],
  ["card", "Visa ···· 1881"],
  ["card", "Mastercard ···· 4444"],
  ["sepa_debit", "SEPA"],
  ["link", "Link"],
] as const;

/** What an order says besides its money. */
function orderOf(
  { paymentIntentId, amount, currency, transactionDate, ...payment }: MovementRow,
  isFailed: boolean,
  draw: Draw,
): OrderFacts {
  // A subscription has one customer for all its periods.
  const buyer = payment.subscriptionId === null ? draw(1, 300) : Number(payment.subscriptionId.slice(-6));
  const name = BUYERS[buyer % BUYERS.length] ?? "Ada Example";
  const isReduced = draw(1, 100) <= 10;
  const [method, methodLabel] = METHODS[draw(0, METHODS.length - 1)] ?? METHODS[0];
  const productId = payment.environment === "live" ? "prod_acmeLiveUsd1" : "prod_acmeTestUsd1";
  const { partnerId, environment, clientReferenceId, paymentLinkId, subscriptionId } = payment;
  return {
    id: paymentIntentId ?? "",
    partnerId,
    environment,
    clientReferenceId,
    paymentLinkId,
    subscriptionId,
    currency,
    method,
    methodLabel,
    createdAt: transactionDate,
    unpaid: isFailed ? "failed" : "pending",
    email: `${name.split(" ")[0]?.toLowerCase()}${buyer}@example.com`,
    customerName: name,
    items: storedItems([{ productId, name: nameOf(productId), quantity: 1, unitAmount: amount }]),
    promotionCode: isReduced ? `WELCOME${suffixOf(environment)}` : null,
    promotionCodeId: isReduced ? idOf("promo", environment, 1) : null,
    discount: isReduced ? Math.round(amount / 9) : 0,
    updatedAt: transactionDate,
  };
}

/** How long a delivery's events are kept at most, so that the first cleaning takes none of them away. */
const EVENTS_SINCE = 25 * DAY;

async function add(
  made: ExampleMonths,
  movement: MovementRow,
  event: EventName,
  now: number,
  draw: Draw,
  dispute: ExampleMonths["disputes"][number] | null = null,
): Promise<void> {
  const facts = { ...movement, discount: null, dispute };
  const { id: eventId, cause, name, kind, payload } = await transactionEvents[event].make(newIdCode(CELL), facts);
  made.movements.push({ ...movement, recordedEvents: `${kind},` });
  const at = movement.transactionDate + 4_000;
  if (now - at > EVENTS_SINCE) return;
  const { environment } = movement;
  const chance = draw(1, 1000);
  const isExhausted = chance <= 12 && now - at > 4 * DAY;
  const failures = isExhausted ? 10 : chance <= 60 ? draw(1, 3) : 0;
  const state = isExhausted ? "exhausted" : "succeeded";
  made.events.push({
    id: eventId,
    cause,
    partnerId: PARTNER,
    environment,
    endpointId: `ep_${PARTNER}_${environment}`,
    name,
    payload,
    createdAt: at,
    state,
    attempts: failures + (isExhausted ? 0 : 1),
    nextAttemptAt: at,
  });
  let sentAt = at + 300;
  for (let number = 1; number <= failures; number += 1) {
    const isTimeout = draw(1, 3) === 1;
    made.attempts.push({
      eventId,
      number,
      at: sentAt,
      status: isTimeout ? null : 503,
      durationMs: isTimeout ? 10_000 : draw(40, 900),
      errorClass: isTimeout ? "timeout" : "status",
      excerpt: isTimeout ? null : "upstream connect error or disconnect/reset before headers",
    });
    sentAt += number * number * 60_000;
  }
  if (!isExhausted) {
    const row = {
      eventId,
      number: failures + 1,
      at: sentAt,
      status: 200,
      durationMs: draw(30, 420),
      errorClass: null,
      excerpt: '{"ok":true}',
    };
    made.attempts.push(row);
  }
}

/** Thirty hexadecimal characters of a text (FNV-1a, four times), for ids. */
function hexOf(text: string): string {
  const parts = [0, 1, 2, 3].map((salt) => {
    let hash = 0x81_1c_9d_c5 ^ salt;
    for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
    return (hash >>> 0).toString(16).padStart(8, "0");
  });
  return parts.join("").slice(0, 30);
}

function linksOf({ environment, now, days, shortLinkOrigin }: Wanted, draw: Draw): Row<typeof paymentLinks>[] {
  const product = environment === "live" ? "prod_acmeLiveUsd1" : "prod_acmeTestUsd1";
  return Array.from({ length: 60 }, (_, index) => {
    const id = idOf("plink", environment, index + 1);
    const isCart = index % 3 !== 0;
    const createdAt = now - Math.round((1 - index / 60) * days) * DAY - draw(0, DAY / 2);
    return {
      id,
      partnerId: PARTNER,
      environment,
      source: isCart ? ("cart" as const) : ("product" as const),
      recordId: null,
      currency: "USD",
      mode: index % 7 === 0 ? ("subscription" as const) : ("one_time" as const),
      interval: index % 7 === 0 ? "month" : null,
      intervalCount: index % 7 === 0 ? 1 : null,
      url: `${shortLinkOrigin}/checkout/${id}`,
      items: storedLines([
        { productId: product, priceId: `price_${environment}${index}`, unitAmount: 1900, quantity: 1, name: nameOf(product) },
      ]),
      slug: `01example${environment}${String(index + 1).padStart(3, "0")}`,
      createdAt,
      disabledAt: index % 11 === 5 ? createdAt + DAY : null,
      disabledBy: index % 11 === 5 ? ("partner" as const) : null,
    };
  });
}

function subscriptionsOf({ environment, now }: Wanted, draw: Draw): Row<typeof subscriptions>[] {
  return Array.from({ length: 40 }, (_, index) => {
    const isEnding = index % 9 === 4;
    const end = now + draw(1, 29) * DAY;
    const isYearly = index % 5 === 2;
    const unitAmount = (PRICES[index % 3] ?? 1900) * (isYearly ? 10 : 1);
    const productId = environment === "live" ? "prod_acmeLiveUsd1" : "prod_acmeTestUsd1";
    return {
      id: idOf("sub", environment, index + 1),
      partnerId: PARTNER,
      environment,
      status: index % 10 === 3 ? "canceled" : index % 13 === 6 ? "past_due" : "active",
      startedAt: now - draw(35, 330) * DAY,
      endedAt: index % 10 === 3 ? now - draw(1, 30) * DAY : null,
      cancelAtPeriodEnd: isEnding,
      cancelAt: isEnding ? end : null,
      currentPeriodEnd: end,
      items: storedPrices([{ priceId: `price_of_${productId}`, quantity: 1, productId, unitAmount }]),
      currency: "USD",
      amount: unitAmount,
      interval: isYearly ? "year" : "month",
      intervalCount: 1,
      paymentLinkId: idOf("plink", environment, 1),
      clientReferenceId: `customer-${100 + index}`,
      updatedAt: now - draw(0, 20) * DAY,
    };
  });
}

/** The name of a product in the catalogue of the fixtures. */
const nameOf = (productId: string): string => productId.replace("prod_", "");

/** What a code of an environment ends with. */
const suffixOf = (environment: string): string => (environment === "live" ? "" : "-TEST");

function codesOf({ environment, now }: Wanted): Row<typeof promotionCodes>[] {
  const product = environment === "live" ? "prod_acmeLiveUsd1" : "prod_acmeTestUsd1";
  const codes = ["WELCOME", "SPRING", "PARTNERS", "LOYAL", "AUTUMN"];
  return codes.map((code, index) => ({
    id: idOf("promo", environment, index + 1),
    partnerId: PARTNER,
    environment,
    couponId: idOf("coupon", environment, index + 1),
    code: `${code}${suffixOf(environment)}`,
    productIds: JSON.stringify([product]),
    percentOff: 10 + index * 5,
    duration: index === 3 ? ("forever" as const) : ("once" as const),
    maxRedemptions: index === 4 ? 500 : null,
    expiresAt: index === 1 ? now - 10 * DAY : null,
    source: "api" as const,
    createdAt: now - (90 - index * 15) * DAY,
    deactivatedAt: index === 2 ? now - 5 * DAY : null,
  }));
}

function bankPaymentsOf({ environment, now, days, payments }: Wanted, draw: Draw): (typeof bankPayments.$inferSelect)[] {
  const offset = environment === "live" ? 0 : 1_000_000;
  return Array.from({ length: Math.round(payments / 6) }, (_, index) => {
    const createdAt = now - draw(0, days * 24 * 60) * 60_000;
    const status =
      (["CONFIRMED", "CONFIRMED", "CONFIRMED", "NEW", "REJECTED", "DEADLINE_EXPIRED", "REFUNDED"] as const)[draw(0, 6)] ?? "NEW";
    const isPaid = status === "CONFIRMED" || status === "REFUNDED";
    const amountKopecks = draw(1, 20) * 50_000;
    return {
      id: 900_000_000_000 + offset + index,
      orderId: `01${hexOf(`bank ${environment} ${index}`)}`,
      partnerId: PARTNER,
      environment,
      terminal: "first",
      bankPaymentId: `${7_000_000_000 + offset + index}`,
      externalOrderId: `order-${5000 + index}`,
      status,
      items: JSON.stringify([
        { productId: 1001, productName: "Товар 1001", unitAmount: amountKopecks, quantity: 1, amount: amountKopecks, vat: "none" },
      ]),
      amountKopecks,
      paymentUrl: null,
      sbpUrl: null,
      recordId: `example-${environment}-${index}`,
      createdAt,
      updatedAt: createdAt + 90_000,
      paidAt: isPaid ? createdAt + 90_000 : null,
      nextPollAt: null,
      holder: null,
      receipts: null,
      buyerErasedAt: null,
    };
  });
}

const REFUSALS = [
  [
    "create-partner-processor-cart-payment-link",
    "PRODUCT_NOT_FOUND",
    "prod_unknown is not a product of yours.",
    "items[0].stripe_product_id",
  ],
  ["create-partner-processor-cart-payment-link", "VALIDATION_ERROR", "items[0].unit_amount: must be at least 50", "items[0].unit_amount"],
  ["create-partner-bank-cart-payment", "VALIDATION_ERROR", "customer_email or customer_phone: give at least one", "customer_email"],
  ["promotion-code-create", "CODE_ALREADY_EXISTS", "An active code has this text.", "code"],
] as const;

function refusalsOf({ now }: Wanted): Row<typeof refusedRequests>[] {
  return Array.from({ length: 24 }, (_, index) => {
    const [operation, code, message, field] = REFUSALS[index % REFUSALS.length] ?? REFUSALS[0];
    return {
      partnerId: PARTNER,
      at: now - index * 6 * 60 * 60_000 - 60_000,
      id: hexOf(`refusal ${index}`).slice(0, 16),
      operation,
      code,
      message,
      field,
      body: JSON.stringify({ items: [{ stripe_product_id: "prod_unknown", unit_amount: 40, quantity: 1 }] }),
    };
  });
}
