import * as z from "zod";
import { environmentSchema } from "../../core/environment.ts";
import type { NewestPage } from "../../partners/list-of-all.ts";
import { encodeCursor, pageOf } from "./paging.ts";

/** The environment of a list: both, as operation 5 has them, unless one is named. */
export const listEnvironment = environmentSchema.optional().describe("Left out: both");

/** A text that a list is searched by: the longest is an address, or one of ours. */
export const searchText = z.string().trim().min(1, "must not be empty").max(250).optional();

/** The answer of a list. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return pageOf(item).describe("A page may be shorter than `limit`: only a null `next` ends the list");
}

export function viewPage<Row, View>({ rows, next }: NewestPage<Row>, view: (row: Row) => View): { data: View[]; next: string | null } {
  return { data: rows.map(view), next: next === null ? null : encodeCursor([next.at, next.id]) };
}
