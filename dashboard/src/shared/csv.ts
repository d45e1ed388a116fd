import { csvText } from "./csv-text.ts";

/** Lets the browser save rows as a CSV file. */
export function saveCsv(name: string, rows: readonly object[], columns?: readonly string[]): void {
  const address = URL.createObjectURL(new Blob(["\uFEFF", csvText(rows, columns)], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
