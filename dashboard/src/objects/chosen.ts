/** What a person has chosen of one page of a list. */
export interface Chosen {
  /** The page: what its list was asked for. */
  readonly page: string;
  readonly keys: readonly string[];
}

/** What is chosen of a page as it stands: rows of another page, of other filters, or that went away, are not. */
export const chosenOf = (chosen: Chosen | null, page: string, rows: readonly string[]): readonly string[] =>
  chosen?.page === page ? rows.filter((key) => chosen.keys.includes(key)) : [];

/** What is chosen after one row, or all rows of a page, were ticked or unticked. */
export const withChosen = (before: readonly string[], keys: readonly string[], isChosen: boolean): readonly string[] => [
  ...before.filter((key) => !keys.includes(key)),
  ...(isChosen ? keys : []),
];
