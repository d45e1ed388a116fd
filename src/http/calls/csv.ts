import { localTime } from "../../core/time-zone.ts";

/** A value of a cell. */
export type CellValue = string | number | boolean | Date | null;

/** How a file is written, so that a spreadsheet of a locale reads numbers as numbers and times as times. */
export interface CsvForm {
  /** Between cells. */
  readonly separator: "," | ";";
  /** The decimal sign of numbers. */
  readonly decimal: "." | ",";
  /** Times are of this zone. */
  readonly timeZone: string;
}

/** Spreadsheets begin with this mark, or take the text for another encoding. */
export const BOM = "\uFEFF";

/** Whether a text is a locale, such as de-DE. */
export function isLocale(text: string): boolean {
  try {
    return text.length <= 35 && Intl.NumberFormat.supportedLocalesOf(text).length > 0;
  } catch {
    return false;
  }
}

export const NO_LOCALE = "must be a locale, such as de-DE";

/** The form for a locale: where numbers have a decimal comma, cells are divided by semicolons. Undefined: commas and points. */
export function csvFormOf(locale: string | undefined, timeZone: string): CsvForm {
  const parts = new Intl.NumberFormat(locale ?? "en-US").formatToParts(1.5);
  // The number has no other part with a comma.
  const hasComma = parts.some(({ value }) => value === ",");
  return hasComma ? { separator: ";", decimal: ",", timeZone } : { separator: ",", decimal: ".", timeZone };
}

const BREAKS = ";\t\r\n";
/** The signs have full-width forms, which some spreadsheets read alike. */
const SIGNS = new Set("=+-@\uFF1D\uFF0B\uFF0D\uFF20");
const PASSED = /[\s"']/;

/**
 * A text that no spreadsheet takes for a formula: an apostrophe stands before each sign that would begin one. That is a sign at the start
 * of a cell, or after what another spreadsheet takes for its end, with nothing but spaces and quotes between: also a comma, in a file
 * whose cells are divided by semicolons. Order references are typed by customers.
 */
export function withoutFormulae(text: string, separator: CsvForm["separator"]): string {
  const breaks = new Set(separator === ";" ? `${BREAKS},` : BREAKS);
  let safe = "";
  let isStart = true;
  for (const sign of text) {
    if (isStart && SIGNS.has(sign)) safe += "'";
    safe += sign;
    isStart = breaks.has(sign) || (isStart && PASSED.test(sign));
  }
  return safe;
}

/** The columns of times, by the last word of their names: a text that a person typed stands in none of them. */
const TIME_COLUMN = /(?:^|[._])(?:at|date|since|until|due_by|period_end)$/;

/** A time as our answers have it. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;

/** The text of a column as a cell: a time where the column has times. */
export function textCell(column: string, text: string): Date | string {
  const time = TIME_COLUMN.test(column) && TIME.test(text) ? new Date(text) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? text : time;
}

/** A line of a file. Texts are in quotes; numbers and times are not. */
export function csvLine(cells: readonly CellValue[], form: CsvForm): string {
  return `${cells.map((cell) => cellText(cell, form)).join(form.separator)}\r\n`;
}

function cellText(cell: CellValue, { separator, decimal, timeZone }: CsvForm): string {
  if (cell === null) return "";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell === "number") return String(cell).replace(".", decimal);
  // Spreadsheets of every locale take this form for a time.
  if (cell instanceof Date) return new Date(localTime(cell.getTime(), timeZone)).toISOString().slice(0, 19).replace("T", " ");
  return `"${withoutFormulae(cell, separator).replaceAll('"', '""')}"`;
}
