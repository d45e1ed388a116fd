import { sql } from "drizzle-orm";
import { localSecrets, localVars } from "../../sandbox/local-settings.ts";
import { bankMovementRows } from "../../src/bank-payments/money.ts";
import { bankOrderRows } from "../../src/bank-payments/order-rows.ts";
import { DAY } from "../../src/core/clock.ts";
import { createSecretCipher, newSigningSecret } from "../../src/core/secret-cipher.ts";
import { connectCell, runBatch, type Statement } from "../../src/db/client.ts";
import { insertRows } from "../../src/db/insert-rows.ts";
import {
  bankPayments,
  deliveryAttempts,
  disputes,
  endpoints,
  events,
  movements,
  paymentLinks,
  promotionCodes,
  refusedRequests,
  subscriptions,
} from "../../src/db/schema/index.ts";
import { setPosition } from "../../src/db/walk.ts";
import { sumsOfPayment } from "../../src/ledger/movements/order-sums.ts";
import { upsertOrder } from "../../src/orders/store.ts";
import { readSettings } from "../../src/settings.ts";
import { insertFirstSecret } from "../../src/webhooks/endpoints/secrets-store.ts";
import { upsertEndpoint } from "../../src/webhooks/endpoints/store.ts";
import { exampleMonths } from "./example-months.ts";
import { withStores } from "./stores.ts";

// A separate program, started by `npm run seed`: node tools/local/seed-months.ts <state directory> <edge's origin>
// <sandbox's origin> <payments> <days> <seed>
const [stateDir = "", edge = "", sandbox = "", payments = "", days = "", seed = ""] = process.argv.slice(2);

/** Rows of one statement: their JSON stays below what one value may have. */
const ROWS = 400;
const WEBHOOKS = { test: `${sandbox}/inbox/acme`, live: "https://shop.example.com/hooks" } as const;

await withStores(stateDir, 1, async ({ bound }) => {
  const cell = connectCell(bound.CELL_1);
  const known = await cell.select({ id: movements.id }).from(movements).where(sql`${movements.id} LIKE 'processor:txn_example%'`).limit(1);
  if (known.length > 0) {
    console.log("The example months are there already. Remove the state directory to begin again.");
    return;
  }
  const now = Date.now();
  const cipher = createSecretCipher(
    readSettings({ ...localVars({ edge, processor: sandbox, bank: sandbox }), ...localSecrets }).encryptionKeys,
  );
  for (const environment of ["live", "test"] as const) {
    const share = environment === "live" ? 1 : 0.25;
    const made = await exampleMonths({
      environment,
      payments: Math.round(Number(payments) * share),
      days: Number(days),
      now,
      seed: Number(seed),
      shortLinkOrigin: edge,
    });
    const endpointId = `ep_acme_${environment}`;
    const registered = await cell.select({ id: endpoints.id }).from(endpoints).where(sql`${endpoints.id} = ${endpointId}`);
    const encrypted = await cipher.encrypt(newSigningSecret(environment), endpointId);
    const webhook =
      registered.length > 0
        ? []
        : [
            ...upsertEndpoint(cell, { partnerId: "acme", environment, url: WEBHOOKS[environment] }, now),
            insertFirstSecret(cell, endpointId, { id: `secret_example_${environment}`, encrypted }, now),
          ];
    const inserts: Iterable<Statement>[] = [
      webhook,
      insertsOf(made.links, (rows) => insertRows(cell, paymentLinks, rows)),
      insertsOf(made.subscriptions, (rows) => insertRows(cell, subscriptions, rows)),
      insertsOf(made.codes, (rows) => insertRows(cell, promotionCodes, rows)),
      insertsOf(made.bankPayments, (rows) => insertRows(cell, bankPayments, rows)),
      insertsOf(made.refusals, (rows) => insertRows(cell, refusedRequests, rows)),
      insertsOf(made.disputes, (rows) => insertRows(cell, disputes, rows)),
      insertsOf(made.events, (rows) => insertRows(cell, events, rows)),
      insertsOf(made.attempts, (rows) => insertRows(cell, deliveryAttempts, rows)),
      insertsOf(made.movements, (rows) => insertRows(cell, movements, rows)),
    ];
    for (const statements of inserts) for (const statement of statements) await runBatch(cell, [statement]);
    for (const some of inParts(made.orders))
      await runBatch(
        cell,
        some.flatMap((facts) => upsertOrder(cell, facts, sumsOfPayment(facts.id))),
      );
    for (const some of inParts(made.bankPayments))
      await runBatch(
        cell,
        some.flatMap((payment) => [
          // The bank reports a refund when it was made: some days after the payment.
          ...bankMovementRows(
            cell,
            payment,
            null,
            payment.status === "REFUNDED" ? Math.min(payment.updatedAt + 3 * DAY, now) : payment.updatedAt,
          ),
          ...bankOrderRows(cell, payment, payment.status, null, payment.updatedAt),
        ]),
      );
    console.log(`${environment}: ${made.movements.length} movements, ${made.events.length} events, ${made.links.length} links`);
  }
  // The next minute counts the figures of all thirty days again, and closes the months that are over.
  await runBatch(cell, [setPosition(cell, "figures", ""), setPosition(cell, "statements", "")]);
});

/** Rows, as many at a time as a statement or a batch takes. Statements are made when they run: those of 100,000 rows need gigabytes. */
function* inParts<Item>(rows: readonly Item[]): Generator<Item[], undefined> {
  for (let start = 0; start < rows.length; start += ROWS) yield rows.slice(start, start + ROWS);
}

function* insertsOf<Item>(rows: readonly Item[], insert: (rows: Item[]) => Statement): Generator<Statement, undefined> {
  for (const some of inParts(rows)) yield insert(some);
}
