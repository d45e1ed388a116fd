import * as z from "zod";
import { type Environment, environmentSchema } from "../../core/environment.ts";
import { inEach } from "../../partners/both-environments.ts";
import { encodeCursor, pageKeyIn, pageOf, pageQuery } from "./paging.ts";

/** The sort key of a row, and the cursor of a page. */
interface PageKey {
  readonly at: number;
  readonly id: string;
}

/** A page as the modules answer it. */
export interface RowPage<Row> {
  readonly rows: readonly Row[];
  readonly next: PageKey | null;
}

/** The environment of a list: both, as operation 5 has them, unless one is named. */
export const listEnvironment = environmentSchema.optional().describe("Left out: both");

/** The query of a list of rows that each belong to an environment. */
export const ownListQuery = z.object({ environment: listEnvironment, ...pageQuery });

interface ListQuery {
  readonly environment?: Environment | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The list that a caller asks for, of one environment. */
interface OwnList {
  readonly partnerId: string;
  readonly environment: Environment;
  readonly limit: number;
  readonly before: PageKey | undefined;
}

/**
 * The page of a list that a caller asks for: of the named environment, or of both, merged. `read` reads one.
 * @throws ServiceFailure `invalid_input` for a wrong cursor.
 */
export function ownPage<Row extends PageKey>(
  { partnerId }: { readonly partnerId: string },
  query: ListQuery,
  read: (list: OwnList) => Promise<RowPage<Row>>,
): Promise<RowPage<Row>> {
  const { limit } = query;
  const before = pageKeyIn(query.cursor);
  return inEach(query, (environment) => read({ partnerId, environment, limit, before }));
}

/** The answer of a list. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return pageOf(item).describe("A page may be shorter than `limit`: only a null `next` ends the list");
}

export function viewPage<Row, View>({ rows, next }: RowPage<Row>, view: (row: Row) => View): { data: View[]; next: string | null } {
  return { data: rows.map(view), next: next === null ? null : encodeCursor([next.at, next.id]) };
}
