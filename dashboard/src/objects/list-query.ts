type Texts = Readonly<Record<string, string | undefined>>;

/** How many rows a page of a list has. */
export const PAGE_SIZE = 100;

interface Wanted {
  /** The names of the list's own filters. */
  readonly filters: readonly string[];
  readonly hasEnvironment: boolean;
  /** What the list is always narrowed to, such as one partner or one product. */
  readonly only: Texts;
  readonly size?: number | undefined;
}

/**
 * The query of a list from what stands in the address: its environment, its page, its filters. What else stands there, such as the
 * parameters of a campaign, is left out.
 */
export function listQuery(
  search: Texts,
  { filters, hasEnvironment, only, size = PAGE_SIZE }: Wanted,
): Readonly<Record<string, string | number>> {
  const set = filters.flatMap((name) => {
    const value = search[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  return {
    ...(hasEnvironment ? { environment: environmentIn(search) } : {}),
    ...Object.fromEntries(set),
    ...only,
    limit: size,
    ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
  };
}

/** Live, unless the address says test. */
export const environmentIn = ({ env }: Texts): "live" | "test" => (env === "test" ? "test" : "live");

/** Whether the address has one of these filters. */
export const isFiltered = (search: Texts, names: readonly string[]): boolean => names.some((name) => (search[name] ?? "") !== "");

/** The address of a list's file: its rows with the filters of the page, in the form for spreadsheets of a language. */
export function fileUrl(file: string, query: Readonly<Record<string, string | number>>, locale: string): string {
  const { limit: _, cursor: __, ...filters } = query;
  const values = new URLSearchParams(Object.entries(filters).map(([name, value]): [string, string] => [name, `${value}`]));
  values.set("locale", locale);
  return `/partner/exports/${file}?${values.toString()}`;
}
