import * as z from "zod";
import type { auditEntries } from "../../audit/audit-log.ts";
import { isoTime } from "../../core/clock.ts";
import { type JsonObject, jsonObjectSchema, parseJson } from "../../core/json.ts";
import { keyIn, sortedPage } from "./paging.ts";

type Entry = Awaited<ReturnType<typeof auditEntries>>[number];

/** Reads the entries of one database that come before a given one, newest first; null if the database is unreachable. */
type AskEntries = (before: { readonly at: number; readonly id: number }, limit: number) => Promise<readonly Entry[] | null>;

const auditKey = z.tuple([z.number(), z.int(), z.number()]);
const values = z.record(z.string(), z.unknown()).nullable();

/** An entry for its partner. */
export const auditAnswer = z.object({
  at: z.string(),
  actor: z.string(),
  action: z.string(),
  target: z.string(),
  before: values,
  after: values,
  request_id: z.string(),
});

export function viewEntry(entry: Entry): z.input<typeof auditAnswer> {
  return {
    at: isoTime(entry.at),
    actor: entry.actor,
    action: entry.action,
    target: entry.target,
    before: valuesOf(entry.before),
    after: valuesOf(entry.after),
    request_id: entry.requestId,
  };
}

/** A page of the entries of several databases, newest first. `to`: the first page starts before this time. */
export async function auditPage<View>(
  databases: readonly AskEntries[],
  { to, limit, cursor }: { readonly to: number; readonly limit: number; readonly cursor: string | undefined },
  view: (entry: Entry) => View,
) {
  const [at, lastPlace, lastId] = keyIn(cursor, auditKey) ?? [to, Number.MIN_SAFE_INTEGER, 0];
  const found = [];
  for (const [place, ask] of databases.entries()) {
    // Among entries of one time, those of earlier databases were shown before those of later ones.
    const id = -place === lastPlace ? lastId : -place < lastPlace ? Number.MAX_SAFE_INTEGER : 0;
    const rows = await ask({ at, id }, limit + 1);
    found.push(...(rows ?? []).map((row) => ({ ...row, key: [row.at, -place, row.id] as const })));
  }
  return sortedPage(found, limit, view);
}

function valuesOf(text: string | null): JsonObject | null {
  return text === null ? null : parseJson(jsonObjectSchema, text);
}
