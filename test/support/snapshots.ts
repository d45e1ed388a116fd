import { env } from "cloudflare:workers";
import type { Environment } from "../../src/core/environment.ts";
import { readSnapshot, saveSnapshot, snapshotKey } from "../../src/ledger/snapshots.ts";

const deps = { snapshotBucket: env.SNAPSHOTS };

/** Stores objects of a payment or subscription that have nothing but an id. */
export async function keep(of: string, objects: readonly (readonly [id: string, type: string])[], environment: Environment = "live") {
  await saveSnapshot(
    deps,
    snapshotKey(environment, of),
    objects.map(([id, type]) => ({ id, type, data: { id } })),
    0,
  );
}

/** Takes one object from what is stored of a test payment. */
export async function forget(of: string, id: string): Promise<void> {
  const key = snapshotKey("test", of);
  const left = (await readSnapshot(deps, key)).filter((object) => object.id !== id);
  await env.SNAPSHOTS.delete(key);
  for (const { asOf, data, ...object } of left) await saveSnapshot(deps, key, [{ ...object, data: JSON.parse(data) }], asOf);
}

/** The ids of what is stored of a payment or subscription, in their order. */
export async function storedIds(of: string, environment: Environment = "test"): Promise<string[]> {
  return (await readSnapshot(deps, snapshotKey(environment, of))).map(({ id }) => id);
}
