import { sql } from "drizzle-orm";
import { localSecrets, localVars } from "../../sandbox/local-settings.ts";
import { bankMovementRows } from "../../src/bank-payments/money.ts";
import { bankOrderRows } from "../../src/bank-payments/order-rows.ts";
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
    const statements: Statement[] = [
      ...webhook,
      ...inserts(made.links, (rows) => insertRows(cell, paymentLinks, rows)),
      ...inserts(made.subscriptions, (rows) => insertRows(cell, subscriptions, rows)),
      ...inserts(made.codes, (rows) => insertRows(cell, promotionCodes, rows)),
      ...inserts(made.bankPayments, (rows) => insertRows(cell, bankPayments, rows)),
      ...inserts(made.refusals, (rows) => insertRows(cell, refusedRequests, rows)),
      ...inserts(made.disputes, (rows) => insertRows(cell, disputes, rows)),
      ...inserts(made.events, (rows) => insertRows(cell, events, rows)),
      ...inserts(made.attempts, (rows) => insertRows(cell, deliveryAttempts, rows)),
      ...inserts(made.movements, (rows) => insertRows(cell, movements, rows)),
    ];
    for (const statement of statements) await runBatch(cell, [statement]);
    const orders = [
      ...made.orders.map((facts) => upsertOrder(cell, facts, sumsOfPayment(facts.id))),
      ...made.bankPayments.map((payment) => [
        ...bankMovementRows(cell, payment, null, payment.updatedAt),
        ...bankOrderRows(cell, payment, payment.status, null, payment.updatedAt),
      ]),
    ].flat();
    for (let index = 0; index < orders.length; index += ROWS) await runBatch(cell, orders.slice(index, index + ROWS));
    console.log(`${environment}: ${made.movements.length} movements, ${made.events.length} events, ${made.links.length} links`);
  }
  // The next minute counts the figures of all thirty days again.
  await runBatch(cell, [setPosition(cell, "figures", "")]);
});

function inserts<Item>(rows: readonly Item[], insert: (rows: Item[]) => Statement): Statement[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS) }, (_, index) => insert(rows.slice(index * ROWS, (index + 1) * ROWS)));
}
