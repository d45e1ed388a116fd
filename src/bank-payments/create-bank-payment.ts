import * as z from "zod";
import type { Bank } from "../bank/port.ts";
import { ownRubleProducts } from "../catalogue/ruble-products.ts";
import type { RubleProductRow } from "../catalogue/store.ts";
import type { Clock } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { errorFields, type Log } from "../core/log.ts";
import { NotStarted, type StartRule } from "../core/preview.ts";
import type { Cell } from "../db/client.ts";
import type { FindById } from "../db/find-row.ts";
import { type KeyActors, runIdempotent } from "../idempotency/client.ts";
import { requestKeyOf } from "../idempotency/key.ts";
import { v2Protocol } from "../idempotency/v2-protocol.ts";
import type { Workflow } from "../idempotency/workflow.ts";
import { type Caller, holderName } from "../partners/authenticate.ts";
import {
  type BankCartPlan,
  type BankCartRequest,
  bankCartPlanSchema,
  contentOfBankCart,
  hasPrices,
  namesPrices,
  planBankCart,
  previewOfBankCart,
  productField,
  requestOfBankCart,
  withoutListPrices,
  withoutPrices,
} from "./bank-cart.ts";
import { cancelLostPayments } from "./compensate.ts";
import { describeCart } from "./description.ts";
import { type LateLinkDeps, lateFastPaymentLink } from "./late-sbp-link.ts";
import { type OpenedBankPayment, openBankPayment } from "./open-payment.ts";
import { bankOrderRows } from "./order-rows.ts";
import { isPayable, PAYMENT_LIFETIME } from "./payable.ts";
import { paymentRow } from "./payment-row.ts";
import { findByOrder, insertBankPayment, setFastPaymentLink } from "./store.ts";

export interface BankPaymentDeps {
  readonly db: Cell;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: { readonly apiOrigin: string };
  readonly findById: FindById<{ readonly db: Cell }>;
  bank(environment: Environment, terminal: string): Bank;
}

const bankPaymentSchema = z.object({
  paymentId: z.int(),
  orderId: z.string(),
  paymentUrl: z.string(),
  sbpUrl: z.string().nullable(),
  /** The bank did not answer whether there is a fast-payment link, so a repeat asks again. */
  sbpUnknown: z.literal(true).optional(),
  amount: z.int(),
  lines: bankCartPlanSchema.shape.lines,
});

/** An opened bank payment. Amounts in kopecks. */
export type BankPaymentResult = z.infer<typeof bankPaymentSchema>;

/**
 * Opens one ruble bank payment for a cart, once per client token, or per content without a token
 * (interface T.8). `products`: the rows of its products. First opening: 3 D1 round trips (record, payment, completion) and
 * 2 bank calls. Repeat: one D1 round trip, or none where the key's object remembers the result, and no bank
 * calls; without a token one more, for the payment's status. A repeat asks the bank for a fast-payment link that it did not
 * answer for.
 * @throws ServiceFailure from the catalogue, the cart validation, the key's state or the bank.
 */
export async function createBankPayment(
  deps: LateLinkDeps & { readonly keyActors: KeyActors },
  caller: Caller,
  request: BankCartRequest,
  clientToken: string | undefined,
  products: readonly RubleProductRow[],
): Promise<{ payment: BankPaymentResult; duplicate: boolean }> {
  const wanted = request.items.map(({ productId }, index) => ({ productId, field: productField(index) }));
  const own = products.filter(({ partnerId }) => partnerId === caller.partnerId);
  const run = (content: ReturnType<typeof requestOfBankCart>, starts = caller.starts) =>
    runIdempotent(deps.keyActors, bankPaymentWorkflow, {
      caller: starts === undefined ? caller : { ...caller, starts },
      holder: holderName(caller.holder),
      key: requestKeyOf(clientToken),
      contents: [content],
      plan() {
        const plan = planBankCart(request, ownRubleProducts(products, caller.partnerId, wanted));
        // Throws if the settings do not contain the terminal, before anything is started.
        deps.bank(plan.environment, plan.terminal);
        return plan;
      },
    });
  const priced = withoutListPrices(request, own);
  /** The payment from when the catalogue had the prices that the request names, and has other ones now. */
  const fromBefore = async () => {
    if (!namesPrices(priced)) return null;
    const content = contentOfBankCart(withoutPrices(request));
    try {
      const known = await run(content, STARTS_NOTHING);
      return hasPrices(known.result.lines, request) ? known : null;
    } catch (thrown) {
      // A refusal of that request is none of this one. Behind a failure that passes, its payment may exist.
      if (thrown instanceof ServiceFailure && !PASSES.has(thrown.error.kind)) return null;
      if (!(thrown instanceof NotStarted)) throw thrown;
      const lines = thrown.preview.lines.map(({ productId, unitAmount }) => ({ productId: Number(productId), unitAmount }));
      return thrown.isBegun && hasPrices(lines, request) ? run(content) : null;
    }
  };
  const joined =
    clientToken === undefined ? ((await fromBefore()) ?? (await run(contentOfBankCart(priced)))) : await run(requestOfBankCart(request));
  // The catalogue has another price than when the payment was opened, and the request names the present one.
  const isOther = clientToken === undefined && joined.replayed && !hasPrices(joined.result.lines, request);
  const { result, replayed, recordId } = isOther ? await run(contentOfBankCart(request)) : joined;
  const mayAsk = caller.starts?.isDryRun !== true;
  const sbpUrl =
    replayed && result.sbpUnknown === true && mayAsk ? await lateFastPaymentLink(deps, recordId, result.orderId) : result.sbpUrl;
  return { payment: { ...result, sbpUrl }, duplicate: replayed };
}

/** Failures after which the same request may find a payment. */
const PASSES: ReadonlySet<string> = new Set(["internal", "operation_in_progress"]);

const STARTS_NOTHING: StartRule = { isDryRun: true, holds: () => true };

/** The workflow of {@link createBankPayment}, once per key: creates the payment, its rows and fast-payment link. */
export const bankPaymentWorkflow: Workflow<BankPaymentDeps, BankCartPlan, BankPaymentResult> = {
  operation: "create-partner-bank-cart-payment",
  generation: v2Protocol({ whileRunning: "refuse", afterFailure: "try_again" }),
  plan: bankCartPlanSchema,
  result: bankPaymentSchema,
  preview: previewOfBankCart,
  autoResume: true,
  budget: "bank_payment",
  compensateSoon: true,
  async isUsable(deps, { orderId }, record) {
    const payment = await deps.findById(record.id, ({ db }) => findByOrder(db, orderId));
    return payment === null || isPayable(payment.found, deps.clock.now());
  },
  compensate: (deps, plan, run) => cancelLostPayments({ deps, bank: deps.bank(plan.environment, plan.terminal), run, plan }),

  async perform(deps, plan, run) {
    const bank = deps.bank(plan.environment, plan.terminal);
    const toOrder = (orderId: string) => orderOf(deps, plan, orderId);
    const opened = await openBankPayment({ deps, bank, run, plan }, toOrder, (payment) => {
      const now = deps.clock.now();
      const row = paymentRow(plan, run, payment, now);
      return [insertBankPayment(deps.db, row), ...bankOrderRows(deps.db, row, row.status, plan.buyer.email, now)];
    });
    const link = await fastPaymentLink(deps, bank, opened, run);
    const { amount, lines } = plan;
    return run.complete({ ...opened, ...link, amount, lines }, [setFastPaymentLink(deps.db, opened.paymentId, link.sbpUrl)]);
  },
};

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

/** Unknown if the bank call fails: the payment can be paid without this link. */
async function fastPaymentLink(
  { log }: Pick<BankPaymentDeps, "log">,
  bank: Bank,
  { bankPaymentId, orderId }: OpenedBankPayment,
  run: Parameters<Bank["fastPaymentLink"]>[1],
): Promise<Pick<BankPaymentResult, "sbpUrl" | "sbpUnknown">> {
  try {
    return { sbpUrl: await bank.fastPaymentLink(bankPaymentId, run) };
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure)) throw thrown;
    log.error("bank fast-payment link failed", { order: orderId, ...errorFields(thrown.cause) });
    return { sbpUrl: null, sbpUnknown: true };
  }
}
