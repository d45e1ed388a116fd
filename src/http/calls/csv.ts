import { localTime } from "../../core/time-zone.ts";

/** A value of a cell. */
export type CellValue = string | number | boolean | null;

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

/**
 * Where a spreadsheet would begin a formula: at the start of a cell, and after what another spreadsheet takes for the end of one.
 * The signs have full-width forms, which some spreadsheets read alike.
 */
const FORMULA = /(^|[;\t\r\n])(\s{0,20})(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** A text that no spreadsheet takes for a formula: an apostrophe stands before each. Order references are typed by customers. */
export const withoutFormulae = (text: string): string => text.replaceAll(FORMULA, "$1$2'");

/** A time as our answers have it. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/;

/** A line of a file. Texts are in quotes; numbers and times are not. */
export function csvLine(cells: readonly CellValue[], form: CsvForm): string {
  return `${cells.map((cell) => cellText(cell, form)).join(form.separator)}\r\n`;
}

function cellText(cell: CellValue, { decimal, timeZone }: CsvForm): string {
  if (cell === null) return "";
  if (typeof cell === "boolean") return cell ? "yes" : "no";
  if (typeof cell === "number") return String(cell).replace(".", decimal);
  // Spreadsheets of every locale take this form for a time.
  if (TIME.test(cell)) return new Date(localTime(Date.parse(cell), timeZone)).toISOString().slice(0, 19).replace("T", " ");
  return `"${withoutFormulae(cell).replaceAll('"', '""')}"`;
}
