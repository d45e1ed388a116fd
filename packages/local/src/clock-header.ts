/** The header by which this package sets the clock of the Worker. Its value is a secret of one start. */
export const CLOCK_HEADER = "X-Local-Clock";
