/**
 * Where a spreadsheet would begin a formula: at the start of a cell, and after what another spreadsheet takes for the end of one.
 * The signs have full-width forms, which some spreadsheets read alike.
 */
const FORMULA = /(^|[;\t\r\n])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A text that no spreadsheet takes for a formula: an apostrophe stands before each. Order references are typed by customers. */
export function withoutFormulae(text: string): string {
  return text.replaceAll(FORMULA, "$1$2'");
}
