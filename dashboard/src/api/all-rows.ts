/** A page of a list, as a call answers it. */
interface RowsPage<Row> {
  readonly data?: { readonly data: readonly Row[]; readonly next: string | null } | undefined;
}

/** So many pages of a list are read at most. */
const MOST_PAGES = 50;

/** All rows of a list, page by page, for choices and names. `read` asks for the first page, or for the one at a cursor. */
export async function allRows<Row>(read: (at: { readonly cursor?: string }) => Promise<RowsPage<Row>>): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { data } = await read(cursor === undefined ? {} : { cursor });
    rows.push(...(data?.data ?? []));
    cursor = data?.next ?? undefined;
    if (cursor === undefined) break;
  }
  return rows;
}
