import { type Database, runBatch } from "../src/db/client.ts";
import { movements } from "../src/db/schema/index.ts";
import { saveSnapshot, snapshotKey } from "../src/ledger/snapshots.ts";
import type { BenchWorker } from "./worker.ts";

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
export async function loadPayments({ cell, snapshots }: BenchWorker, count: number): Promise<void> {
  for (let start = 0; start < count; start += PER_BATCH) {
    const numbers = Array.from({ length: Math.min(PER_BATCH, count - start) }, (_, index) => start + index);
    await runBatch(
      cell,
      numbers.map((number) => rowOf(cell, number)),
    );
    for (const number of numbers) {
      const objects = OBJECTS.map(([prefix, type, bytes]) => ({
        id: `${prefix}bench${number}`,
        type,
        data: objectOf(prefix, number, bytes),
      }));
      await saveSnapshot({ snapshotBucket: snapshots }, snapshotKey("live", `pi_bench${number}`), objects, 0);
    }
  }
}

function rowOf(db: Database, number: number) {
  return db.insert(movements).values({
    environment: "live",
    paymentIntentId: `pi_bench${number}`,
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
  });
}

/** An object of about `bytes` bytes: many short fields, like the processor's objects, and a customer name in Cyrillic. */
function objectOf(prefix: string, number: number, bytes: number) {
  const fields: Record<string, string> = {};
  for (let index = 0; index < Math.floor(bytes / 36); index += 1) fields[`field_number_${index}`] = `value ${index} of it`;
  return { id: `${prefix}bench${number}`, name: "Покупатель", ...fields };
}
