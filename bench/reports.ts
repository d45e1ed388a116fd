import { type BenchWorker, KEY, startWorker } from "./bench-worker.ts";
import { median } from "./sampling.ts";

/** The orders of the measured partner, over three years. */
export const ORDERS = 100_000;
const PER_STATEMENT = 20_000;
const ROUNDS = 5;
const FROM = Date.UTC(2024, 0, 1);
const DAYS = 1_095;

/** What a question took, in milliseconds: the answer, and a scan of the partner's movements that sums one column, in the same round. */
export interface Asked {
  readonly name: string;
  readonly time: number | null;
  readonly scan: number | null;
  readonly ratio: number | null;
}

const YEARS = "from=2024-01-01&to=2026-12-30&environment=live";
const QUESTIONS: readonly (readonly [name: string, path: string])[] = [
  ["three years by month and currency", `/partner/reports/sales?${YEARS}&by=month,currency`],
  ["three years by day", `/partner/reports/sales?${YEARS}&by=day`],
  ["three years by month and product", `/partner/reports/sales?${YEARS}&by=month,product`],
  ["a month by day and product", "/partner/reports/sales?from=2026-10-01&to=2026-10-31&by=day,product"],
  ["the balance", "/partner/balance"],
  ["orders, the latest 50, with count and sums", "/partner/orders?limit=50&environment=live"],
  ["the 50 largest orders, with count and sums", "/partner/orders?limit=50&environment=live&sort=-charged"],
  ["the 50 largest movements, with count and sums", "/partner/payments?limit=50&environment=live&sort=-amount"],
  ["orders of a product that was never sold, a page", "/partner/orders?limit=50&environment=live&product=prod_none"],
  ["orders of one customer", "/partner/orders?email=buyer77@example.com"],
  ["a search by an amount that orders have", "/partner/find?q=29.00"],
  ["a search by an amount that nothing has", "/partner/find?q=12345.67"],
  ["all orders as CSV", "/partner/exports/orders?environment=live"],
];

/** Asks a partner's books with 100,000 orders, a tenth refunded and a fifth of two products. */
export async function measureReports(say: (progress: string) => void): Promise<Asked[]> {
  const worker = await startWorker("http://localhost:1");
  try {
    await fill(worker.db, say);
    const rounds = new Map(QUESTIONS.map(([name]) => [name, [] as { readonly time: number; readonly scan: number }[]]));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, path] of QUESTIONS) {
        const scan = await timeOf(() => worker.db.prepare(SCAN).all());
        const time = await timeOf(() => ask(worker, path));
        // The first round warms up and is not counted.
        if (round > 0) rounds.get(name)?.push({ time, scan });
      }
      say(round === 0 ? "warmed up" : `round ${round} of ${ROUNDS} done`);
    }
    return [...rounds].map(([name, found]) => ({
      name,
      time: median(
        found.map(({ time }) => time),
        0,
      ),
      scan: median(
        found.map(({ scan }) => scan),
        0,
      ),
      ratio: median(
        found.map(({ time, scan }) => time / scan),
        1,
      ),
    }));
  } finally {
    await worker.close();
  }
}

const ask = ({ ask: get }: BenchWorker, path: string) => get(path, { headers: { "X-Partner-Api-Key": KEY } });

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** The least that any report of all movements could do. */
const SCAN = "SELECT currency, SUM(amount) FROM movements WHERE partner_id = 'acme' AND environment = 'live' GROUP BY 1";

/** The rows are generated inside the database: they are too many to send. */
async function fill(db: D1Database, say: (progress: string) => void): Promise<void> {
  for (let start = 0; start < ORDERS; start += PER_STATEMENT) {
    for (const text of [PAYMENTS, REFUNDS, ORDER_ROWS])
      await db
        .prepare(text)
        .bind(start, start + PER_STATEMENT)
        .run();
    say(`${start + PER_STATEMENT} orders`);
  }
  await db.exec("ANALYZE");
}

/** Times and ids grow together, as those of the processor do. */
const AT = `${FROM} + n * ${Math.floor((DAYS * 86_400_000) / ORDERS)}`;
const NUMBERS = `WITH RECURSIVE numbers (n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)`;
const COLUMNS = `id, partner_id, environment, amount, fee, net, currency, status, type, transaction_date, is_subscription,
  client_reference_id, payment_intent_id, payment_link_id, charged_amount, charged_currency, available_at, booked_at, updated_at`;
const CURRENCY = "CASE n % 4 WHEN 0 THEN 'EUR' ELSE 'USD' END";
const PAYMENTS = `${NUMBERS} INSERT INTO movements (${COLUMNS})
  SELECT printf('processor:txn_%012x%08x', n * 2654435761 & 281474976710655, n), 'acme', 'live', 2900, 114, 2786, ${CURRENCY}, 'completed',
  'processor_payment_in', ${AT}, 0, 'order-' || n, printf('pi_%012x%08x', n * 2246822519 & 281474976710655, n), 'plink_' || (n % 3000), 2900,
  ${CURRENCY}, ${AT}, ${AT}, 0 FROM numbers`;
const REFUNDS = `${NUMBERS} INSERT INTO movements (${COLUMNS})
  SELECT printf('processor:txn_r%012x%08x', n * 2654435761 & 281474976710655, n), 'acme', 'live', -2900, 0, -2900, ${CURRENCY}, 'refunded',
  'processor_refund', ${AT} + 86400000, 0, 'order-' || n, printf('pi_%012x%08x', n * 2246822519 & 281474976710655, n), 'plink_' || (n % 3000), -2900,
  ${CURRENCY}, ${AT}, ${AT}, 0 FROM numbers WHERE n % 10 = 9`;
const ORDER_ROWS = `${NUMBERS} INSERT INTO orders (id, partner_id, environment, created_at, paid_at, status, unpaid, client_reference_id, payment_link_id,
  method, method_label, email, items, units, discount, currency, charged, refunded, disputed, settlement_currency, fee, net, updated_at)
  SELECT printf('pi_%012x%08x', n * 2246822519 & 281474976710655, n), 'acme', 'live', ${AT}, ${AT}, CASE WHEN n % 10 = 9 THEN 'refunded' ELSE 'paid' END,
  'pending', 'order-' || n, 'plink_' || (n % 3000), 'card', 'Visa ···· 4242', 'buyer' || (n % 20000) || '@example.com',
  CASE n % 5 WHEN 0 THEN '[["prod_' || (n % 40) || '","Course",1,1900,1900],["prod_' || (n % 7) || '","Book",1,1000,2900]]'
    ELSE '[["prod_' || (n % 40) || '","Course",1,2900,2900]]' END,
  1 + (n % 5 = 0), 0, ${CURRENCY}, 2900, CASE WHEN n % 10 = 9 THEN 2900 ELSE 0 END, 0, ${CURRENCY}, 114, 2786, 0 FROM numbers`;
