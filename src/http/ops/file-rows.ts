import Papa from "papaparse";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";

/** A row of a file, with its line: as an editor counts, but in a JSON array its position. */
export interface FileRow {
  readonly line: number;
  readonly row: unknown;
}

/** The rows of JSON, an array, one object, or one object on each line, or of CSV. @throws ServiceFailure `invalid_input`. */
export function rowsOfText(text: string): FileRow[] {
  return /^\s*[[{]/.test(text) ? jsonRows(text) : csvRows(text);
}

function jsonRows(text: string): FileRow[] {
  const whole = jsonOf(text);
  if (whole !== undefined) return [whole].flat().map((row, index) => ({ line: index + 1, row }));
  const lines = text.split("\n").map((content, index) => ({ line: index + 1, content: content.trim() }));
  const rows = lines.flatMap(({ line, content }) => (content === "" ? [] : [{ line, row: jsonOf(content) }]));
  const [first, second] = rows;
  // A file of several lines whose first is an object of its own has an object on each.
  if (first === undefined || second === undefined || first.row === undefined) rejectInput("the file is not valid JSON");
  const wrong = rows.find(({ row }) => row === undefined);
  if (wrong !== undefined) rejectInput(`line ${wrong.line}: not valid JSON, one product on each line`);
  return rows;
}

/** Undefined for a text that is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The first line with which spreadsheets say the delimiter: `sep=;`. */
const DELIMITER_LINE = /^\s*sep=(.)\s*(?:\r?\n|$)/i;

/**
 * The first row that is not empty has the field names, in letters of either case. A cell is a text; an empty one means
 * no value. Whole numbers and lists are parsed where a field needs them.
 */
function csvRows(withMark: string): FileRow[] {
  const text = withMark.replace(/^\uFEFF/, "");
  const said = DELIMITER_LINE.exec(text);
  const [delimiterLine = "", delimiter = ""] = said ?? [];
  // A file with too many lines is read only far enough to see that.
  const preview = 2 * limits.productImport.lines;
  const { data, errors, meta } = Papa.parse<string[]>(text.slice(delimiterLine.length), { preview, delimiter });
  const [fault] = errors.filter(({ code }) => code !== "UndetectableDelimiter");
  if (meta.truncated) rejectInput(`the file must have at most ${preview} rows, those without a product too`);
  const linesBefore = delimiterLine.split("\n").length - 1;
  if (fault !== undefined) rejectInput(`row ${(fault.row ?? 0) + 1 + linesBefore}: ${fault.message}`);
  const [head, ...rows] = withLines(data, 1 + linesBefore).filter(({ cells }) => cells.some((cell) => cell.trim() !== ""));
  const names = (head?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const twice = names.find((name, index) => name !== "" && names.indexOf(name) !== index);
  if (twice !== undefined) rejectInput(`line ${head?.line ?? 1}: the column ${JSON.stringify(twice.slice(0, 60))} is there twice`);
  return rows.map(({ line, cells }) => ({ line, row: rowOf(names, cells, line) }));
}

/** Each row with the line on which it starts, as an editor counts: a quoted cell may contain line breaks. */
function withLines(rows: readonly string[][], first: number) {
  let next = first;
  return rows.map((cells) => {
    const line = next;
    next += 1 + cells.reduce((breaks, cell) => breaks + cell.split("\n").length - 1, 0);
    return { line, cells };
  });
}

function rowOf(names: readonly string[], cells: readonly string[], line: number): object {
  const given = cells.flatMap((content, index) => {
    const [name = "", cell] = [names[index], content.trim()];
    if (cell === "") return [];
    if (name === "") rejectInput(`line ${line}: more cells than field names in the first line`);
    return [[name, valueIn(name, cell)] as const];
  });
  return Object.fromEntries(given);
}

const NUMBERS = new Set(["id", "unit_amount", "interval_count"]);

function valueIn(name: string, cell: string): unknown {
  if (NUMBERS.has(name) && /^\d{1,15}$/.test(cell)) return Number(cell);
  return name === "payment_method_types" ? cell.split(/[\s,;|]+/) : cell;
}
