import { asc, eq } from "drizzle-orm";
import * as z from "zod";
import type { Environment } from "../core/environment.ts";
import { type JsonObject, jsonObjectSchema, parseJson } from "../core/json.ts";
import type { Database } from "../db/client.ts";
import { movements } from "../db/schema/ledger.ts";
import { recordIdIn } from "../processor/attribution-metadata.ts";
import type { SeenMovement } from "./movement.ts";
import { readSnapshot, type SnapshotDeps, snapshotKey } from "./snapshots.ts";

/** All movements of a payment, of any partner, oldest first. */
export async function movementsOfAnyPayment(db: Database, paymentIntentId: string): Promise<SeenMovement[]> {
  return db
    .select()
    .from(movements)
    .where(eq(movements.paymentIntentId, paymentIntentId))
    .orderBy(asc(movements.transactionDate), asc(movements.id))
    .all();
}

/** The origin of a payment, from its snapshot; null for missing values. */
export interface PaymentOrigin {
  readonly paymentLinkId: string | null;
  readonly recordId: string | null;
}

const sessionSchema = z.object({ payment_link: z.string().nullish() });
const metadataSchema = z.object({ metadata: z.record(z.string(), z.string()).nullish() });

/** The link and the request that a payment came from. One read of its snapshot. */
export async function originOfPayment(deps: SnapshotDeps, environment: Environment, paymentIntentId: string): Promise<PaymentOrigin> {
  const objects = await readSnapshot(deps, snapshotKey(environment, paymentIntentId));
  const data = objects.map((object): JsonObject => parseJson(jsonObjectSchema, object.data));
  const links = data.flatMap((object) => sessionSchema.safeParse(object).data?.payment_link ?? []);
  const records = data.flatMap((object) => recordIdIn(metadataSchema.safeParse(object).data?.metadata ?? {}) ?? []);
  return { paymentLinkId: links[0] ?? null, recordId: records[0] ?? null };
}
