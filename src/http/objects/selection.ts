import * as z from "zod";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { toMajorUnits } from "../../core/money.ts";
import { countIn, type SelectionList } from "../../partners/list-of-all.ts";
import type { Cells } from "../../partners/location-store.ts";
import { periodOf } from "../calls/moments.ts";
import { encodeCursor, keyIn } from "../calls/paging.ts";
import type { Asker } from "./define.ts";
import { type Asked, allRows, pageFor, readableData, zoneOf } from "./rows.ts";

/** Such a list counts as so many queries: it looks at more rows than its page has. */
export const SELECTION_WEIGHT = 5;
/** A sum of all movements counts as so many: a balance, a statement, all subscriptions. docs/scale.md has what each takes. */
export const SUM_WEIGHT = 20;
/** A report of up to three years counts as so many, and so does the search of all by an amount. */
export const REPORT_WEIGHT = 50;

/** The query field of a list that is sorted as a whole. `usual`: newest first. */
export const sortQuery = ({ sorts }: Pick<SelectionList<never, unknown, unknown>, "sorts">, usual: string, about = "") => ({
  sort: z.enum(sorts).default(usual).describe(`With a minus: largest first${about}`),
});

/** The count of more rows than are counted. */
export const TOO_MANY = "more than 10000" as const;

/** How many rows a whole selection has, beside a page of it. */
export const selectionCount = {
  count: z.union([z.int(), z.literal(TOO_MANY)]).describe("Of the whole selection; the text also where too many rows would be looked at"),
};

/** What a whole selection comes to, beside a page of it. */
export const selectionSums = <Shape extends z.ZodRawShape>(sum: Shape) => ({
  ...selectionCount,
  sums: z
    .array(z.object({ environment: environmentSchema, currency: z.string() }).extend(sum))
    .nullable()
    .describe("Of the whole selection, by currency and environment, in major units; null if there are more than 10000 rows"),
});

const sortKey = z.tuple([z.string(), z.number(), z.string()]);

/** Which page of a list, and how its rows are shown. */
interface Listing<Filter, Row, View> {
  readonly asked: Asked;
  readonly filter: Filter;
  /** As in `pageFor`. */
  readonly which?: Cells;
  readonly view: (rows: readonly Row[]) => View[] | Promise<View[]>;
  /** The order of rows of one moment; left out: by their ids. */
  readonly arrange?: <One extends Row & { readonly at: number }>(rows: readonly One[]) => readonly One[];
}

/** A page of a list, newest first. @throws as `pageFor` */
export async function newestPage<Filter, Row, Of, View>(
  asker: Asker,
  list: SelectionList<Filter, Row, Of>,
  { asked, filter, which, view, arrange = (rows) => rows }: Listing<Filter, Row, View>,
) {
  const { rows, next } = await pageFor(asker, asked, (data, own) => list.newest(data, own, filter), which);
  return { data: await view(arrange(rows)), next: next === null ? null : encodeCursor([next.at, next.id]) };
}

interface Summed<Of, Sum> {
  readonly sort: string;
  /** The usual order: newest first, by an index, of all partners too. */
  readonly usual: string;
  /** Left out for rows that are counted alone. */
  readonly viewSum?: (sum: { readonly count: number; readonly sums: Of }, major: (minor: number) => number) => Sum;
}

/**
 * A page of a list in an order, with what its whole selection comes to.
 * @throws ServiceFailure `invalid_input` for an operator's order of all partners' rows, and for a cursor of another order
 */
export async function selectionPage<Filter, Row, Of, View, Sum extends object>(
  asker: Asker,
  list: SelectionList<Filter, Row, Of>,
  listing: Listing<Filter, Row, View>,
  { sort, usual, viewSum }: Summed<Of, Sum>,
) {
  const { asked, filter, which, view } = listing;
  const { partner, environment, since, until, limit, cursor } = asked;
  const selection = { environment, period: periodOf({ since, until }, await zoneOf(asker, partner)), filter };
  const partnerId = asker.partner?.caller.partnerId ?? partner;
  if (sort !== usual && partnerId === undefined) rejectInput("sort: needs `partner`", "sort");
  const [sorted, ...after] = sort === usual ? [sort] : (keyIn(cursor, sortKey) ?? [sort]);
  if (sorted !== sort) rejectInput("cursor: is of a list with another `sort`", "cursor");
  const parts = await allRows(asker, partner, (data, owner) => list.sums(data, { ...selection, partnerId: owner }), which);
  const sums = list.joined(parts.flat());
  const whole = {
    count: countIn(sums) ?? TOO_MANY,
    // Rows without a currency have no sums.
    sums:
      sums?.flatMap((sum) => {
        const { environment: of, currency } = sum;
        const shown = currency === "" ? undefined : viewSum?.(sum, (minor) => toMajorUnits(minor, currency));
        return shown === undefined ? [] : [{ environment: of, currency, ...shown }];
      }) ?? null,
  };
  if (sort === usual || partnerId === undefined) return { ...(await newestPage(asker, list, listing)), ...whole };
  const data = await readableData(asker, partnerId, which);
  const [value, id] = after;
  const behind = value === undefined || id === undefined ? undefined : ([value, id] as const);
  const { rows, next } = await list.page(data, { ...selection, partnerId }, { sort, limit, after: behind });
  return { data: await view(rows), next: next === null ? null : encodeCursor([sort, ...next]), ...whole };
}
