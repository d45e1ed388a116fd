import * as z from "zod";
import { type Environment, environmentSchema } from "../../core/environment.ts";
import { encodeCursor, pageKeyIn, pageOf, pageQuery } from "./paging.ts";

/** The sort key of a row, and the cursor of a page. */
interface PageKey {
  readonly at: number;
  readonly id: string;
}

/** A page as the modules answer it. */
interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly next: PageKey | null;
}

/** The query of a list of one environment. */
export const ownListQuery = z.object({ environment: environmentSchema.default("live"), ...pageQuery });

/** The list that a caller asks for. @throws ServiceFailure `invalid_input` for a wrong cursor. */
export function ownList(
  { partnerId }: { readonly partnerId: string },
  query: { readonly environment: Environment; readonly limit: number; readonly cursor?: string | undefined },
): { partnerId: string; environment: Environment; limit: number; before: PageKey | undefined } {
  return { partnerId, environment: query.environment, limit: query.limit, before: pageKeyIn(query.cursor) };
}

/** The answer of a list. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return pageOf(item).describe("A page may be shorter than `limit`: only a null `next` ends the list");
}

export function viewPage<Row, View>({ rows, next }: RowPage<Row>, view: (row: Row) => View): { data: View[]; next: string | null } {
  return { data: rows.map(view), next: next === null ? null : encodeCursor([next.at, next.id]) };
}
