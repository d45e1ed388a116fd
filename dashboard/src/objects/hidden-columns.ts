/** The columns that a person has left: the first one always, since it has the link to the row's page. `hidden`: their places. */
export const withoutHidden = <Of>(columns: readonly Of[], hidden: readonly number[]): readonly Of[] =>
  columns.filter((_, place) => place === 0 || !hidden.includes(place));

/** What is hidden after the column in a place was ticked or unticked. */
export const toggled = (hidden: readonly number[], place: number): number[] =>
  hidden.includes(place) ? hidden.filter((one) => one !== place) : [...hidden, place];
