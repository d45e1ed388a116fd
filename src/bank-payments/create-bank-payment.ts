import * as z from "zod";
import type { Bank } from "../bank/port.ts";
import { ownRubleProducts } from "../catalogue/ruble-products.ts";
import type { RubleProductRow } from "../catalogue/store.ts";
import { type Clock, HOUR } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Cell } from "../db/client.ts";
import { type KeyActors, runIdempotent } from "../idempotency/client.ts";
import { requestKeyOf } from "../idempotency/key.ts";
import { v2Protocol } from "../idempotency/v2-protocol.ts";
import type { Workflow } from "../idempotency/workflow.ts";
import type { Caller } from "../partners/authenticate.ts";
import { type BankCartPlan, type BankCartRequest, bankCartPlanSchema, contentOfBankCart, planBankCart, productField } from "./bank-cart.ts";
import { cancelLostPayments } from "./compensate.ts";
import { describeCart } from "./description.ts";
import { type OpenedBankPayment, openBankPayment } from "./open-payment.ts";
import { paymentRow } from "./payment-row.ts";
import { insertBankPayment, setFastPaymentLink } from "./store.ts";

export interface BankPaymentDeps {
  readonly db: Cell;
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

/** An opened bank payment. Amounts in kopecks. */
export type BankPaymentResult = z.infer<typeof bankPaymentSchema>;

/**
 * Opens one ruble bank payment for a cart, once per client token, or per content without a token
 * (interface T.8). `products`: the rows of its products. First opening: 3 D1 round trips (record, payment, completion) and
 * 2 bank calls. Repeat: one D1 round trip, or none where the key's object remembers the result, and no bank calls.
 * @throws ServiceFailure from the catalogue, the cart validation, the key's state or the bank.
 */
export async function createBankPayment(
  deps: Pick<BankPaymentDeps, "bank"> & { readonly keyActors: KeyActors },
  caller: Caller,
  request: BankCartRequest,
  clientToken: string | undefined,
  products: readonly RubleProductRow[],
): Promise<{ payment: BankPaymentResult; duplicate: boolean }> {
  const wanted = request.items.map(({ productId }, index) => ({ productId, field: productField(index) }));
  const { result, replayed } = await runIdempotent(deps.keyActors, bankPaymentWorkflow, {
    caller,
    key: requestKeyOf(clientToken),
    contents: [contentOfBankCart(request, clientToken !== undefined)],
    plan() {
      const plan = planBankCart(request, ownRubleProducts(products, caller.partnerId, wanted));
      // Throws if the settings do not contain the terminal, before anything is started.
      deps.bank(plan.environment, plan.terminal);
      return plan;
    },
  });
  return { payment: result, duplicate: replayed };
}

/** The workflow of {@link createBankPayment}, once per key: creates the payment, its rows and fast-payment link. */
export const bankPaymentWorkflow: Workflow<BankPaymentDeps, BankCartPlan, BankPaymentResult> = {
  operation: "create-partner-bank-cart-payment",
  generation: v2Protocol({ whileRunning: "refuse", afterFailure: "try_again" }),
  plan: bankCartPlanSchema,
  result: bankPaymentSchema,
  autoResume: true,
  budget: "bank_payment",
  compensateSoon: true,
  compensate: (deps, plan, run) => cancelLostPayments({ deps, bank: deps.bank(plan.environment, plan.terminal), run, plan }),

  async perform(deps, plan, run) {
    const bank = deps.bank(plan.environment, plan.terminal);
    const toOrder = (orderId: string) => orderOf(deps, plan, orderId);
    const opened = await openBankPayment({ deps, bank, run, plan }, toOrder, (payment) => [
      insertBankPayment(deps.db, paymentRow(plan, run, payment, deps.clock.now())),
    ]);
    const sbpUrl = await fastPaymentLink(deps, bank, opened, run);
    const { amount, lines } = plan;
    return run.complete({ ...opened, sbpUrl, amount, lines }, [setFastPaymentLink(deps.db, opened.paymentId, sbpUrl)]);
  },
};

/** Equal to the deduplication window of a cart without a token. A new payment after it is then the only payable one. */
const PAYMENT_LIFETIME = 24 * HOUR;

/** Builds the bank's order for an order id. */
export function orderOf({ clock, settings }: Pick<BankPaymentDeps, "clock" | "settings">, plan: BankCartPlan, orderId: string) {
  const { amount, buyer, externalOrderId, successUrl, failUrl } = plan;
  return {
    orderId,
    amount,
    description: describeCart(plan.lines.map(({ productName }) => productName)),
    lines: plan.lines.map((line) => ({ ...line, name: line.productName, price: line.unitAmount })),
    buyer,
    data: externalOrderId === null ? {} : { ep_order: externalOrderId },
    notificationUrl: `${settings.apiOrigin}/ingest/bank`,
    expiresAt: clock.now() + PAYMENT_LIFETIME,
    successUrl,
    failUrl,
  };
}

/** Null if the bank call fails: the payment can be paid without this link. */
async function fastPaymentLink(
  { log }: Pick<BankPaymentDeps, "log">,
  bank: Bank,
  { bankPaymentId, orderId }: OpenedBankPayment,
  run: Parameters<Bank["fastPaymentLink"]>[1],
): Promise<string | null> {
  try {
    return await bank.fastPaymentLink(bankPaymentId, run);
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure)) throw thrown;
    log.error("bank fast-payment link failed", { order: orderId, ...errorFields(thrown.cause) });
    return null;
  }
}
