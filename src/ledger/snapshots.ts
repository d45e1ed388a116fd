import * as z from "zod";
import { SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { jsonObjectSchema, parseJson } from "../core/json.ts";
import type { ProcessorObject } from "../processor/facts.ts";
import { withoutPerson } from "./personal-data.ts";

/** A stored object of the processor. `data` is its JSON as text, so that a list of payments needs no parsing. */
export interface StoredObject {
  readonly id: string;
  readonly type: string;
  /** The time of the processor's state, in Unix milliseconds. */
  readonly asOf: number;
  readonly data: string;
}

/** R2 has one object for each payment, and one for each subscription. */
export interface SnapshotDeps {
  readonly snapshotBucket: R2Bucket;
}

/** The key of a payment's or subscription's objects. Their ids at the processor never collide. */
export const snapshotKey = (environment: Environment, id: string) => `${environment}/${id}`;

/** The maximum number of tries if R2 fails, or if another refresh has changed the object. */
const MAX_TRIES = 7;
/** R2 accepts one write per second for an object. In milliseconds. */
const ONE_WRITE = 1 * SECOND;

/** The mark of an erased snapshot: personal data is never stored in it again. */
const ERASED = { erased: "true" } as const;

const isErased = (stored: R2Object | null): boolean => stored?.customMetadata?.erased === ERASED.erased;

/**
 * Stores objects in the processor's state at `asOf`, each unless a later state is already stored. Writes nothing if
 * nothing has changed. `isOfErased` marks a new snapshot as erased, for a payment of an erased subscription. `isErased`: no personal
 * datum of the objects may be kept anywhere.
 */
export async function saveSnapshot(
  deps: SnapshotDeps,
  key: string,
  objects: readonly ProcessorObject[],
  asOf: number,
  isOfErased = false,
): Promise<{ readonly hasWritten: boolean; readonly isErased: boolean }> {
  let isMarked = false;
  const hasWritten = await change(deps, key, (before, stored) => {
    isMarked = isErased(stored);
    const seen = objects.map(({ id, type, data }) => ({ id, type, asOf, data: JSON.stringify(data) }));
    if (!isMarked && !isOfErased) {
      const after = mergeSnapshot(before, seen);
      return after && { objects: after, isErased: false };
    }
    const kept = isMarked ? before : before.map(emptied);
    const after = mergeSnapshot(kept, seen.map(emptied));
    return after === null && isMarked ? null : { objects: after ?? kept, isErased: true };
  });
  return { hasWritten, isErased: isMarked || isOfErased };
}

/** The object without personal data. */
function emptied({ data, ...about }: StoredObject): StoredObject {
  return { ...about, data: JSON.stringify(withoutPerson(parseJson(jsonObjectSchema, data))) };
}

/**
 * Removes personal data from a snapshot, and from everything that is stored in it later. Returns whether there was any.
 */
export async function eraseSnapshot(deps: SnapshotDeps, key: string): Promise<boolean> {
  let wasThere = false;
  await change(deps, key, (before, stored) => {
    if (isErased(stored)) return null;
    wasThere = stored !== null;
    return { objects: before.map(emptied), isErased: true };
  });
  return wasThere;
}

/** Whether a snapshot is marked as erased. */
export async function isSnapshotErased({ snapshotBucket }: SnapshotDeps, key: string): Promise<boolean> {
  return isErased(await snapshotBucket.head(key));
}

interface Snapshot {
  readonly objects: readonly StoredObject[];
  readonly isErased: boolean;
}

/** Reads a snapshot, and writes the result of `make`, unless that is null. Returns whether it has written. */
async function change(
  { snapshotBucket }: SnapshotDeps,
  key: string,
  make: (before: readonly StoredObject[], stored: R2Object | null) => Snapshot | null,
): Promise<boolean> {
  let isTooSoon = false;
  for (let tries = 1; ; tries += 1) {
    try {
      const stored = await snapshotBucket.get(key);
      const after = make(stored === null ? [] : await decode(stored), stored);
      // The other refresh may have written the same state.
      if (after === null) return false;
      if (!isTooSoon) {
        // The condition refers to the object that was read, so a write of another refresh in between is never
        // overwritten.
        const onlyIf = stored === null ? { etagDoesNotMatch: "*" } : { etagMatches: stored.etag };
        const options = { onlyIf, ...(after.isErased ? { customMetadata: ERASED } : {}) };
        if ((await snapshotBucket.put(key, await encode(after.objects), options)) !== null) return true;
        if (tries >= MAX_TRIES) throw new Error(`the snapshot ${key} was changed by others again and again`);
        isTooSoon = true;
        continue;
      }
    } catch (thrown) {
      if (tries >= MAX_TRIES) throw thrown;
    }
    isTooSoon = false;
    await new Promise((resolve) => setTimeout(resolve, ONE_WRITE + Math.random() * ONE_WRITE));
  }
}

/** The stored objects, in the order in which they were first seen. Empty if nothing is stored. */
export async function readSnapshot({ snapshotBucket }: SnapshotDeps, key: string): Promise<StoredObject[]> {
  const stored = await snapshotBucket.get(key);
  return stored === null ? [] : decode(stored);
}

/** The later version of each object. Null if nothing differs from the stored objects. */
export function mergeSnapshot(stored: readonly StoredObject[], seen: readonly StoredObject[]): StoredObject[] | null {
  // A replaced object keeps its position in the map, which shows when it was first seen.
  const merged = new Map(stored.map((object) => [object.id, object]));
  let isChanged = false;
  for (const object of seen) {
    const known = merged.get(object.id);
    if (known !== undefined && known.asOf > object.asOf) continue;
    merged.set(object.id, object);
    isChanged ||= known?.data !== object.data;
  }
  return isChanged ? [...merged.values()] : null;
}

const aboutSchema = z.object({ id: z.string(), type: z.string(), asOf: z.int() });

/** Two lines per object, compressed: its description, and its JSON, which has no line breaks. */
async function encode(objects: readonly StoredObject[]): Promise<ArrayBuffer> {
  const lines = objects.flatMap(({ data, ...about }) => [JSON.stringify(about), data]);
  return new Response(new Blob([lines.join("\n")]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}

async function decode(stored: R2ObjectBody): Promise<StoredObject[]> {
  const text = await new Response(stored.body.pipeThrough(new DecompressionStream("gzip"))).text();
  const lines = text.split("\n");
  return lines.flatMap((data, index) => (index % 2 === 0 ? [] : [{ ...parseJson(aboutSchema, lines[index - 1] ?? ""), data }]));
}
