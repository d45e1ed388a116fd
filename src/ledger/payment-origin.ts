import * as z from "zod";
import type { Environment } from "../core/environment.ts";
import { type JsonObject, jsonObjectSchema, parseJson } from "../core/json.ts";
import { recordIdIn } from "../processor/attribution-metadata.ts";
import { readSnapshot, type SnapshotDeps, snapshotKey } from "./snapshots.ts";

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
