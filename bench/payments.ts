import { type Database, runBatch } from "../src/db/client.ts";
import { movements, processorObjects } from "../src/db/schema/index.ts";

/** The objects of a payment, with the approximate size of their JSON at the processor, in bytes. */
const OBJECTS = [
  ["ch_", "charge", 2_900],
  ["pi_", "payment_intent", 2_200],
  ["cs_", "checkout.session", 3_000],
  ["in_", "invoice", 5_000],
  ["txn_", "balance_transaction", 600],
] as const;

const FIRST = Date.UTC(2025, 0, 1);
const PER_BATCH = 50;

/** Inserts payments of 2025 into acme's ledger, each with objects of typical size. */
export async function loadPayments(db: Database, count: number): Promise<void> {
  for (let start = 0; start < count; start += PER_BATCH) {
    const numbers = Array.from({ length: Math.min(PER_BATCH, count - start) }, (_, index) => start + index);
    await runBatch(
      db,
      numbers.flatMap((number) => rowsOf(db, number)),
    );
  }
}

function rowsOf(db: Database, number: number) {
  const common = { environment: "live", paymentIntentId: `pi_bench${number}` } as const;
  return [
    db.insert(movements).values({
      ...common,
      id: `processor:txn_bench${number}`,
      partnerId: "acme",
      amount: 1900,
      currency: "USD",
      status: "completed",
      type: "processor_payment_in",
      transactionDate: FIRST + number * 1000,
      isSubscription: false,
      sourceId: `ch_bench${number}`,
      updatedAt: 0,
    }),
    ...OBJECTS.map(([prefix, type, bytes]) => {
      const id = `${prefix}bench${number}`;
      return db.insert(processorObjects).values({ ...common, id, type, data: objectOf(id, bytes), fetchedAt: 0 });
    }),
  ];
}

/** JSON of about `bytes` bytes: many short fields, like the processor's objects, and a customer name in Cyrillic. */
function objectOf(id: string, bytes: number): string {
  const fields = Array.from({ length: Math.floor(bytes / 36) }, (_, index) => [`field_number_${index}`, `value ${index} of it`]);
  return JSON.stringify({ id, name: "Покупатель", ...Object.fromEntries(fields) });
}
