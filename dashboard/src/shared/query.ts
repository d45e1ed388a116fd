/** What stands in the address for a query: texts, as people may have typed them. */
type Searched<Query> = { readonly [Name in keyof Query]?: string | number | undefined };

/** The query of a call from the address, without what is not set. The Worker checks each value, and its refusal is shown. */
export function queryOf<Query extends object>(search: Searched<Query>): Query {
  const set = Object.entries(search).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Worker checks the values
  return Object.fromEntries(set) as Query;
}
