/** The objects around a payment, and how many bytes of JSON each has at the processor, about. */
const OBJECTS = [
  ["ch_", "charge", 2_900],
  ["pi_", "payment_intent", 2_200],
  ["cs_", "checkout.session", 3_000],
  ["txn_", "balance_transaction", 600],
] as const;

const FIRST = Date.UTC(2025, 0, 1);
const PER_BATCH = 50;

/** Puts payments of 2025 into the ledger of acme, with objects of usual size around each. */
export async function loadPayments(db: D1Database, count: number): Promise<void> {
  const movement = db.prepare(
    `INSERT INTO movements (id, partner_id, environment, amount, currency, status, type, transaction_date, is_subscription, payment_intent_id, source_id, updated_at)
     VALUES (?, 'acme', 'live', 1900, 'USD', 'completed', 'processor_payment_in', ?, 0, ?, ?, 0)`,
  );
  const object = db.prepare(
    "INSERT INTO processor_objects (id, type, environment, payment_intent_id, data, fetched_at) VALUES (?, ?, 'live', ?, ?, 0)",
  );
  for (let start = 0; start < count; start += PER_BATCH) {
    const numbers = Array.from({ length: Math.min(PER_BATCH, count - start) }, (_, index) => `bench${start + index}`);
    await db.batch(
      numbers.flatMap((number, index) => [
        movement.bind(`processor:txn_${number}`, FIRST + (start + index) * 1000, `pi_${number}`, `ch_${number}`),
        ...OBJECTS.map(([prefix, type, bytes]) => object.bind(prefix + number, type, `pi_${number}`, objectOf(prefix + number, bytes))),
      ]),
    );
  }
}

/** JSON of about so many bytes, of many short fields as the processor's objects are. */
function objectOf(id: string, bytes: number): string {
  const fields = Array.from({ length: Math.floor(bytes / 36) }, (_, index) => [`field_number_${index}`, `value ${index} of it`]);
  return JSON.stringify({ id, ...Object.fromEntries(fields) });
}
