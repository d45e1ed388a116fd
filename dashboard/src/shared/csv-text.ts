import Papa from "papaparse";
import { withoutFormulae } from "./formulae.ts";

/** A cell as a spreadsheet takes it: no formula, and an object or a list as JSON. */
function cellOf(value: unknown): unknown {
  if (typeof value === "string") return withoutFormulae(value);
  return typeof value === "object" && value !== null ? withoutFormulae(JSON.stringify(value)) : value;
}

/** Rows as CSV. The columns are those named, or all that any row has, in the order of their first appearance. */
export function csvText(
  rows: readonly object[],
  columns: readonly string[] = [...new Set(rows.flatMap((row) => Object.keys(row)))],
): string {
  return Papa.unparse({
    fields: [...columns],
    data: rows.map((row) => {
      const values = new Map<string, unknown>(Object.entries(row));
      return columns.map((column) => cellOf(values.get(column)));
    }),
  });
}
