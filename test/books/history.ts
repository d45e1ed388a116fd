import { env } from "cloudflare:workers";
import { sumsOfBankOrder } from "../../src/bank-payments/money.ts";
import { connectCell, runBatch, type Statement } from "../../src/db/client.ts";
import { insertRows } from "../../src/db/insert-rows.ts";
import { bankMovements, movements, orders } from "../../src/db/schema/index.ts";
import { sumsOfFreeCheckout, sumsOfPayment } from "../../src/ledger/movements/order-sums.ts";
import { storedItems } from "../../src/orders/items.ts";
import { upsertOrder } from "../../src/orders/store.ts";

/** Random histories of a partner's orders, for tests that compare what the books say with the movements. */

export type MovementRow = typeof movements.$inferSelect;
type BankRow = typeof bankMovements.$inferSelect;

export interface History {
  readonly movements: MovementRow[];
  readonly bank: BankRow[];
  readonly free: { readonly at: number; readonly environment: "live" | "test" }[];
}

/** A generator of whole numbers below a bound: the same seed draws the same. */
function drawer(seed: number): (bound: number) => number {
  let state = seed % 2_147_483_646 || 1;
  return (bound) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % bound;
  };
}

const DAY = 86_400_000;
const one = <Of>(draw: (bound: number) => number, of: readonly Of[]): Of => of[draw(of.length)] as Of;

/** Some orders between two times, with what followed them: refunds in later months, failures, disputes won and lost. */
export async function makeHistory({
  from,
  to,
  count,
  seed,
  partnerId = "acme",
}: {
  from: number;
  to: number;
  count: number;
  seed: number;
  partnerId?: string;
}): Promise<History> {
  const draw = drawer(seed);
  const db = connectCell(env.CELL_1);
  const made: History = { movements: [], bank: [], free: [] };
  const statements: Statement[] = [];
  for (let number = 0; number < count; number += 1) {
    const at = from + draw(Math.floor((to - from) / 1000)) * 1000;
    const environment = draw(5) === 0 ? ("test" as const) : ("live" as const);
    const items = Array.from({ length: 1 + draw(3) }, () => ({
      productId: `prod_${draw(4)}`,
      name: "A thing",
      quantity: 1 + draw(3),
      unitAmount: 50 + draw(5_000),
    }));
    const total = items.reduce((sum, { quantity, unitAmount }) => sum + quantity * unitAmount, 0);
    const discount = draw(4) === 0 ? draw(total) : 0;
    const facts = {
      partnerId,
      environment,
      createdAt: at,
      unpaid: "pending" as const,
      clientReferenceId: `order-${seed}-${number}`,
      paymentLinkId: `plink_${draw(5)}`,
      subscriptionId: null,
      method: one(draw, ["card", "sepa_debit", null]),
      methodLabel: null,
      email: `buyer${draw(20)}@example.com`,
      customerName: null,
      items: draw(10) === 0 ? null : storedItems(items),
      promotionCode: discount > 0 ? "SAVE" : null,
      promotionCodeId: discount > 0 ? "promo_save" : null,
      discount,
      updatedAt: at,
    };
    const kind = draw(10);
    if (kind === 0) {
      made.free.push({ at, environment });
      statements.push(...upsertOrder(db, { ...facts, id: `cs_${seed}_${number}`, currency: "USD" }, sumsOfFreeCheckout(at)));
      continue;
    }
    if (kind <= 2) {
      const orderId = `01${seed}x${number}`;
      const row = { orderId, partnerId, environment, terminal: "first", bookedAt: at };
      const paid = { ...row, name: "payment", type: "bank_payment_in" as const, amount: total, transactionDate: at };
      made.bank.push(paid);
      if (draw(3) === 0) {
        const later = at + draw(60) * DAY;
        made.bank.push({
          ...row,
          name: "refund",
          type: "bank_refund",
          amount: -(1 + draw(total)),
          transactionDate: later,
          bookedAt: later,
        });
      }
      statements.push(
        insertRows(
          db,
          bankMovements,
          made.bank.filter((entry) => entry.orderId === orderId),
        ),
      );
      statements.push(...upsertOrder(db, { ...facts, id: orderId, currency: "RUB", paymentLinkId: null }, sumsOfBankOrder(orderId)));
      continue;
    }
    const charged = total - discount;
    const currency = one(draw, ["USD", "EUR", "JPY"]);
    const rate = draw(3) === 0 ? 0.5 + draw(100) / 100 : 1;
    const settled = Math.round(charged * rate);
    const id = `pi_${seed}_${number}`;
    const movement = (name: string, amount: number, some: Partial<MovementRow>): MovementRow => ({
      id: `processor:txn_${seed}_${number}_${name}`,
      partnerId,
      environment,
      amount,
      fee: 0,
      net: amount,
      currency: rate === 1 ? currency : "EUR",
      status: "completed",
      type: "processor_payment_in",
      transactionDate: at,
      description: null,
      isSubscription: false,
      clientReferenceId: facts.clientReferenceId,
      paymentIntentId: id,
      paymentLinkId: facts.paymentLinkId,
      chargedAmount: null,
      chargedCurrency: null,
      sourceId: null,
      subscriptionId: null,
      recordedEvents: "",
      availableAt: at + 2 * DAY,
      bookedAt: some.transactionDate ?? at,
      updatedAt: at,
      ...some,
    });
    const fee = Math.round(settled * 0.029) + 30;
    const failed = draw(12) === 0;
    const own = [
      movement("in", settled, {
        fee,
        net: settled - fee,
        chargedAmount: charged,
        chargedCurrency: currency,
        status: failed ? "failed" : draw(15) === 0 ? "pending" : "completed",
      }),
    ];
    const later = () => at + draw(75) * DAY;
    if (failed) own.push(movement("fail", -settled, { type: "processor_payment_failure", status: "failed", transactionDate: later() }));
    else if (draw(4) === 0) {
      const part = draw(2) === 0 ? settled : 1 + draw(Math.max(1, settled));
      own.push(movement("re", -part, { type: "processor_refund", status: "refunded", transactionDate: later() }));
    } else if (draw(8) === 0) {
      own.push(
        movement("dp", -settled, {
          type: "processor_dispute_freeze",
          status: "disputed",
          fee: 1500,
          net: -settled - 1500,
          transactionDate: later(),
        }),
      );
      if (draw(2) === 0)
        own.push(
          movement("dr", settled, {
            type: "processor_dispute_return",
            status: "dispute_won",
            fee: -1500,
            net: settled + 1500,
            transactionDate: later(),
          }),
        );
    }
    made.movements.push(...own);
    statements.push(insertRows(db, movements, own), ...upsertOrder(db, { ...facts, id, currency }, sumsOfPayment(id)));
  }
  for (let index = 0; index < statements.length; index += 200) await runBatch(db, statements.slice(index, index + 200));
  return made;
}

/** Forgets all of it. */
export async function emptyHistory(): Promise<void> {
  await env.CELL_1.batch([movements, bankMovements, orders].map((table) => env.CELL_1.prepare(`DELETE FROM ${nameOf(table)}`)));
}

const nameOf = (table: object): string => (table as Record<symbol, string>)[Symbol.for("drizzle:Name")] ?? "";
