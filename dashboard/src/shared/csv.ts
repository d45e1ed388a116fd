import Papa from "papaparse";

/**
 * Where a spreadsheet would begin a formula: at the start of a cell, and after what another spreadsheet takes for the end of one.
 * The signs have full-width forms, which some spreadsheets read alike.
 */
const FORMULA = /(^|[;\t\r\n])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A text that no spreadsheet takes for a formula: an apostrophe stands before each. Order references are typed by customers. */
export function withoutFormulae(text: string): string {
  return text.replaceAll(FORMULA, "$1$2'");
}

const cellOf = (value: unknown) => (typeof value === "string" ? withoutFormulae(value) : value);

/** Lets the browser save rows as a CSV file. */
export function saveCsv<Row extends object>(name: string, columns: readonly (keyof Row & string)[], rows: readonly Row[]): void {
  const text = Papa.unparse({ fields: [...columns], data: rows.map((row) => columns.map((column) => cellOf(row[column]))) });
  const address = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
