/** Partners of the generated ledger; the first is the fixtures' acme, and the largest. */
const PARTNERS = 200;
const PER_STATEMENT = 20_000;

/**
 * Fills a ledger with `count` movements of 200 partners; the same seed gives the same movements. The share of the k-th
 * partner is proportional to 1/k, so the first has a sixth of all. A tenth are refunds of an earlier payment, half have
 * an order reference, a fifth are test. The rows are generated inside the database: a million are too many to send.
 */
export async function generateMovements(db: D1Database, count: number, seed = 20_261_121): Promise<void> {
  const weights = Array.from({ length: PARTNERS }, (_, index) => 1 / (index + 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let reached = 0;
  const shares = weights.map((weight, index) => {
    reached += weight / whole;
    return { partner: index === 0 ? "acme" : `partner-${index}`, upTo: Math.floor(reached * DRAWS) };
  });
  await db.exec("CREATE TABLE bench_shares (up_to INTEGER PRIMARY KEY, partner TEXT NOT NULL)");
  await db
    .prepare("INSERT INTO bench_shares SELECT value ->> 'upTo', value ->> 'partner' FROM json_each(?)")
    .bind(JSON.stringify(shares))
    .run();
  for (let start = 0; start < count; start += PER_STATEMENT) {
    await db
      .prepare(INSERT)
      .bind(start, Math.min(start + PER_STATEMENT, count), seed)
      .run();
  }
  await db.exec("DROP TABLE bench_shares");
  await db.exec("ANALYZE");
}

/** The range of the random number that selects a partner. */
const DRAWS = 1_000_000;

/** Two random numbers for each row, by multiplication with large odd numbers and a shift: uniform enough here. */
const INSERT = `
WITH RECURSIVE
  numbers (n) AS (SELECT CAST(?1 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2),
  -- A refund belongs to the payment in the row before, so it uses the random numbers of that row.
  drawn_from (n, m) AS (SELECT n, n - (n % 10 = 9) + CAST(?3 AS INTEGER) FROM numbers),
  drawn AS (
    SELECT n,
      ((m * 2654435761 + 12345) & 4294967295) * 40503 >> 12 & 1048575 AS partner_draw,
      ((m * 2246822519 + 54321) & 4294967295) * 30011 >> 11 & 1048575 AS other_draw
    FROM drawn_from
  )
INSERT INTO movements (id, partner_id, environment, amount, fee, net, currency, status, type, transaction_date,
  is_subscription, client_reference_id, payment_intent_id, source_id, updated_at)
SELECT 'processor:txn_' || printf('%012x%012x', n * 2654435761 & 281474976710655, n),
  (SELECT partner FROM bench_shares WHERE up_to > partner_draw * ${DRAWS} / 1048576 ORDER BY up_to LIMIT 1),
  CASE WHEN other_draw % 5 = 0 THEN 'test' ELSE 'live' END,
  CASE WHEN n % 10 = 9 THEN -1900 ELSE 1900 END, 85, 1815, 'USD',
  CASE WHEN n % 10 = 9 THEN 'refunded' ELSE 'completed' END,
  CASE WHEN n % 10 = 9 THEN 'processor_refund' ELSE 'processor_payment_in' END,
  1735689600000 + n * 1000, 0,
  CASE WHEN other_draw % 2 = 0 THEN 'order-' || (n - (n % 10 = 9)) END,
  'pi_bench' || (n - (n % 10 = 9)), 'ch_bench' || n, 0
FROM drawn`;
