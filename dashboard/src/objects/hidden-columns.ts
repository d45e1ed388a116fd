interface Named {
  readonly header: string;
}

/** The columns that a person has left: the first one always, since it has the link to the row's page. */
export const withoutHidden = <Of extends Named>(columns: readonly Of[], hidden: readonly string[]): readonly Of[] =>
  columns.filter(({ header }, index) => index === 0 || !hidden.includes(header));

/** What is hidden after a column was ticked or unticked. */
export const toggled = (hidden: readonly string[], header: string): string[] =>
  hidden.includes(header) ? hidden.filter((one) => one !== header) : [...hidden, header];
