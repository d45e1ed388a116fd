import * as z from "zod";
import type { SelectionList } from "../../partners/list-of-all.ts";
import type { Cells } from "../../partners/location-store.ts";
import type { Right } from "../../partners/permissions.ts";
import { listOf } from "../calls/lists.ts";
import type { Access } from "../partner/define-call.ts";
import { type Asker, type BothCalls, defineForBoth } from "./define.ts";
import { type Asked, byPartner, rowQuery } from "./rows.ts";
import { newestPage, SELECTION_WEIGHT, selectionCount, selectionPage, selectionSums, sortQuery } from "./selection.ts";

/** Behind the words of a list that is sorted by amounts too. */
export const BY_NUMBER = ". `amount`: by the number, whatever the currency";

interface Said {
  readonly command: string;
  readonly path: string;
  readonly summary: string;
  readonly example?: string;
}

type AskedOf<Search extends z.ZodRawShape> = Asked & z.output<z.ZodObject<Search>>;

/** A list of rows, of a partner, or for operators of all. */
interface Listed<
  Search extends z.ZodRawShape,
  Filter,
  Row,
  Of,
  View extends z.ZodObject,
  Owned extends z.ZodObject,
  Sum extends z.ZodRawShape,
> {
  readonly of: SelectionList<Filter, Row, Of>;
  /** The query fields by which rows are searched. */
  readonly search: Search;
  /** The usual order: newest first. */
  readonly usual: string;
  /** Stands behind the words of `sort`. */
  readonly about?: string;
  /** As in `pageFor`. */
  readonly which?: Cells;
  /** Its rows are live alone, and have no environment of their own. */
  readonly isLive?: boolean;
  /** The partner's view of a row. The operators' view adds fields to it. */
  readonly view: View;
  readonly owned: Owned;
  /** What a query asks for; null: no row. */
  readonly filterOf: (
    asker: Asker,
    wanted: z.output<z.ZodObject<Search>>,
    partner: string | undefined,
  ) => Filter | null | Promise<Filter | null>;
  readonly viewRows: (asker: Asker, rows: readonly Row[], partner: string | undefined) => z.input<Owned>[] | Promise<z.input<Owned>[]>;
  /** The order of rows of one moment; left out: by their ids. */
  readonly arrange?: <One extends Row & { readonly at: number }>(rows: readonly One[]) => readonly One[];
  /** What a selection comes to in a currency; left out for rows that are counted alone. */
  readonly sum?: Sum;
  readonly viewSum?: (sum: { readonly count: number; readonly sums: Of }, major: (minor: number) => number) => z.input<z.ZodObject<Sum>>;
  readonly partner: Said & Omit<Access, "weight"> & { readonly permission: Right };
  readonly operator: Partial<Said>;
}

/**
 * Builds the list of an object: the calls of partners and of operators, which read alone, and `page`, by which its file is made. A partner's
 * answer has the fields of `view` alone. The calls throw as `selectionPage` does.
 */
export function defineList<
  Search extends z.ZodRawShape,
  Filter,
  Row,
  Of,
  View extends z.ZodObject,
  Owned extends z.ZodObject,
  Sum extends z.ZodRawShape = z.ZodRawShape,
>(list: Listed<Search, Filter, Row, Of, View, Owned, Sum>) {
  const { of, search, usual, about, which, isLive = false, filterOf, viewRows, arrange, sum, viewSum, view } = list;
  async function listingOf(asker: Asker, asked: AskedOf<Search>) {
    const wanted = Object.fromEntries(Object.entries(asked).filter(([name]) => name in search));
    // The query was checked by a schema that has all of `search`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const filter = await filterOf(asker, wanted as z.output<z.ZodObject<Search>>, asked.partner);
    if (filter === null) return null;
    return {
      asked: isLive ? { ...asked, environment: "live" as const } : asked,
      filter,
      ...(which && { which }),
      ...(arrange && { arrange }),
      view: (rows: readonly Row[]) => viewRows(asker, rows, asked.partner),
    };
  }
  const page = async (asker: Asker, asked: AskedOf<Search>) => {
    const listing = await listingOf(asker, asked);
    return listing === null ? { data: [], next: null } : newestPage(asker, of, listing);
  };
  const whole = sum === undefined ? selectionCount : selectionSums(sum);
  const { environment: _, ...ofLive } = rowQuery.shape;
  const calls: BothCalls = defineForBoth({
    query: z.object({ ...(isLive ? ofLive : rowQuery.shape), ...search, ...sortQuery(of, usual, about) }),
    partner: { ...list.partner, weight: SELECTION_WEIGHT, answer: listOf(view).extend(whole) },
    operator: { ...list.operator, role: "any", filters: byPartner, answer: listOf(list.owned).extend(whole) },
    async run(asker, { query }) {
      // The schema of the query is spread from parts, whose types are lost to the compiler; so are those of the answer below.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const { sort, ...asked } = query as unknown as AskedOf<Search> & { readonly sort: string };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const listing = await listingOf(asker, asked as unknown as AskedOf<Search>);
      if (listing === null) return { data: [], next: null, count: 0, sums: [] };
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return (await selectionPage(asker, of, listing, { sort, usual, ...(viewSum && { viewSum }) })) as never;
    },
  });
  return { calls, page, search, view, permission: list.partner.permission };
}
