import { z } from "zod";
import type { Bank } from "../bank/port.ts";
import { loadOwnRubleProducts } from "../catalogue/ruble-products.ts";
import { type Clock, HOUR } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { describeThrown, type Log } from "../core/log.ts";
import type { Database } from "../db/client.ts";
import { doOnce, type OperationObjects } from "../idempotency/client.ts";
import { secondGeneration } from "../idempotency/second-generation.ts";
import type { Work } from "../idempotency/work.ts";
import type { Caller } from "../partners/authenticate.ts";
import {
  type BankCartPlan,
  type BankCartRequest,
  bankCartPlanSchema,
  contentOfBankCart,
  payloadOfBankCart,
  planBankCart,
  productField,
} from "./bank-cart.ts";
import { describeCart } from "./description.ts";
import { type OpenedBankPayment, openBankPayment } from "./open-payment.ts";
import { paymentRow } from "./payment-row.ts";
import { insertBankPayment, insertBankPaymentItems, setFastPaymentLink } from "./store.ts";

export interface BankPaymentTools {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: { readonly apiOrigin: string };
  bank(environment: Environment, terminal: string): Bank;
}

const bankPaymentSchema = z.object({
  paymentId: z.int(),
  orderId: z.string(),
  paymentUrl: z.string(),
  sbpUrl: z.string().nullable(),
  amount: z.int(),
  lines: bankCartPlanSchema.shape.lines,
});

/** A bank payment as it was opened. Amounts in kopecks. */
export type BankPaymentResult = z.infer<typeof bankPaymentSchema>;

/**
 * Opens one ruble bank payment for a cart (interface, operation 9), once per token or, without one, per content.
 * First opening: key, products, record, payment, completion: 5 D1 round trips and 2 calls of the bank. Repeat: 3 and none.
 * @throws ServiceFailure of the catalogue, the cart's rules, the key's state, the bank.
 */
export async function createBankPayment(
  tools: Pick<BankPaymentTools, "db" | "bank"> & { readonly operationObjects: OperationObjects },
  caller: Caller,
  request: BankCartRequest,
  clientToken: string | undefined,
): Promise<{ payment: BankPaymentResult; duplicate: boolean }> {
  const wanted = request.items.map(({ productId }, index) => ({ productId, field: productField(index) }));
  const plan = planBankCart(request, await loadOwnRubleProducts(tools.db, caller.partnerId, wanted));
  // Where the settings lack the terminal nothing is to be begun.
  tools.bank(plan.environment, plan.terminal);
  const { result, replayed } = await doOnce(tools.operationObjects, bankPaymentWork, {
    partnerId: caller.partnerId,
    ...(clientToken === undefined
      ? { key: { kind: "content" }, content: contentOfBankCart(plan) }
      : { key: { kind: "token", text: clientToken }, content: payloadOfBankCart(request) }),
    plan,
  });
  return { payment: result, duplicate: replayed };
}

/** What {@link createBankPayment} has done once per key: the payment at the bank, its rows and its fast-payment link. */
export const bankPaymentWork: Work<BankPaymentTools, BankCartPlan, BankPaymentResult> = {
  operation: "create-partner-bank-cart-payment",
  generation: secondGeneration({ whileRunning: "refuse", afterFailure: "try_again" }),
  plan: bankCartPlanSchema,
  result: bankPaymentSchema,
  finishUnasked: true,
  async perform(tools, plan, run) {
    const bank = tools.bank(plan.environment, plan.terminal);
    const toOrder = (orderId: string) => orderOf(tools, plan, orderId);
    const opened = await openBankPayment({ tools, bank, run, plan }, toOrder, (payment) => [
      insertBankPayment(tools.db, paymentRow(plan, run, payment, tools.clock.now())),
      insertBankPaymentItems(tools.db, payment.paymentId, plan.lines),
    ]);
    const sbpUrl = await fastPaymentLink(tools, bank, opened, run);
    const { amount, lines } = plan;
    return run.complete({ ...opened, sbpUrl, amount, lines }, [setFastPaymentLink(tools.db, opened.paymentId, sbpUrl)]);
  },
};

/** As long as a cart without a token is recognised: what is made anew after that can be the only one to be paid. */
const PAYABLE_FOR = 24 * HOUR;

/** What the bank is asked to open, under an order's id. */
export function orderOf({ clock, settings }: Pick<BankPaymentTools, "clock" | "settings">, plan: BankCartPlan, orderId: string) {
  const { amount, buyer, externalOrderId, successUrl, failUrl } = plan;
  return {
    orderId,
    amount,
    description: describeCart(plan.lines.map(({ productName }) => productName)),
    lines: plan.lines.map((line) => ({ ...line, name: line.productName, price: line.unitAmount })),
    buyer,
    data: externalOrderId === null ? {} : { ep_order: externalOrderId },
    notificationUrl: `${settings.apiOrigin}/ingest/bank`,
    payableUntil: clock.now() + PAYABLE_FOR,
    successUrl,
    failUrl,
  };
}

/** The payment can be paid without it, so whatever keeps the bank from giving one is no failure. */
async function fastPaymentLink(
  { log }: Pick<BankPaymentTools, "log">,
  bank: Bank,
  { bankPaymentId, orderId }: OpenedBankPayment,
  run: Parameters<Bank["fastPaymentLink"]>[1],
): Promise<string | null> {
  try {
    return await bank.fastPaymentLink(bankPaymentId, run);
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure)) throw thrown;
    log.error("no fast-payment link", { order: orderId, ...describeThrown(thrown.cause) });
    return null;
  }
}
