import Papa from "papaparse";
import { withoutFormulae } from "./formulae.ts";

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
