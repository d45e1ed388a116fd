import Papa from "papaparse";

/** How a formula begins, whatever follows it. */
const FORMULA = /^[=+\-@\t\r\n]/;

/**
 * Lets the browser save rows as a CSV file. A text that a spreadsheet would take for a formula gets an apostrophe: order
 * references are typed by customers.
 */
export function saveCsv<Row extends object>(name: string, columns: readonly (keyof Row & string)[], rows: readonly Row[]): void {
  const text = Papa.unparse(
    { fields: [...columns], data: rows.map((row) => columns.map((column) => row[column])) },
    { escapeFormulae: FORMULA },
  );
  const address = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
