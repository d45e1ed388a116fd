import Table from "cli-table3";
import picocolors from "picocolors";
import stringWidth from "string-width";
import { printable, printableJson } from "../../local/printable.ts";
import { calledAs } from "../called-as.ts";

type Row = Readonly<Record<string, unknown>>;

/** Colours for a terminal, or where FORCE_COLOR demands them. Not for programs, also where CI is set. */
function colours() {
  const isWanted = process.stdout.isTTY || (process.env.FORCE_COLOR ?? "") !== "";
  return picocolors.createColors(isWanted && picocolors.isColorSupported && (process.env.NO_COLOR ?? "") === "");
}

/** Prints an answer: a list as a table, anything else as its fields; as JSON for programs. */
export function printAnswer(answer: unknown, { asJson, failed }: { readonly asJson: boolean; readonly failed: boolean }): void {
  const print = failed ? console.error : console.log;
  if (asJson || !isRow(answer)) {
    print(printableJson(answer));
    return;
  }
  // Operators' calls say `error`, partners' calls `error_message`.
  const message = answer.error ?? answer.error_message;
  if (failed && typeof message === "string") {
    print(colours().red(printable(message)));
    return;
  }
  printFields(answer);
}

function printFields(answer: Row, indent = ""): void {
  for (const [name, value] of Object.entries(answer)) {
    if (isStory(name, value)) for (const entry of value) printEntry(entry);
    else if (isTable(value)) printTable(name, value, indent);
    else if (Array.isArray(value) && value.length === 0) console.log(name === "data" ? nothingFound(answer) : `${indent}${name}: none`);
    else if (isRow(value)) {
      console.log(`${indent}${name}:`);
      printFields(value, `${indent}  `);
    } else if (name !== "next" || value !== null) console.log(`${indent}${name}: ${textOf(value)}`);
  }
}

function nothingFound({ next }: Row): string {
  return typeof next === "string" ? `Nothing on this page. Go on with --cursor ${next}` : "Nothing found.";
}

function isStory(name: string, value: unknown): value is readonly Row[] {
  return name === "entries" && isTable(value) && value.every((row) => "says" in row);
}

/** An entry of a story in full, without truncation. */
function printEntry({ at, kind, id, says, wrong, command }: Row): void {
  console.log(`${textOf(at)}  ${textOf(kind)} ${textOf(id)}\n  ${textOf(says)}`);
  if (wrong !== null)
    console.log(`  ! ${colours().red(printable(textOf(wrong)))}${command === null ? "" : ` (${calledAs("ops")} ${textOf(command)})`}`);
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

/** Columns stand side by side without lines. */
const NO_LINES = Object.fromEntries(
  ["top", "bottom", "mid"]
    .flatMap((where) => [where, `${where}-mid`, `${where}-left`, `${where}-right`])
    .concat("left", "left-mid", "mid-mid", "right", "right-mid")
    .map((where) => [where, ""]),
);
const GAP = "  ";
/**
 * Prints rows as a table no wider than the terminal: texts of several words are wrapped. Where that is not enough, each row is a block of
 * lines, because an id that is cut cannot be copied. Without a terminal the table is as wide as its cells.
 */
function printTable(name: string, rows: readonly Row[], indent: string): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) => rows.some((row) => textOf(row[column]) !== ""));
  const cells = rows.map((row) => columns.map((column) => printable(textOf(row[column]))));
  if (name !== "data") console.log(`${indent}${name}:`);
  const colWidths = widthsOf(columns, cells, (process.stdout.columns ?? Number.POSITIVE_INFINITY) - indent.length);
  if (colWidths === null) {
    printBlocks(columns, cells);
    return;
  }
  const table = new Table({
    head: [...columns],
    chars: { ...NO_LINES, middle: GAP },
    colWidths,
    wordWrap: true,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(...cells);
  const [head = "", ...lines] = table.toString().split("\n");
  // The library counts the letters of a cell, so what is no letter is added last.
  console.log(`${indent}${colours().bold(head.trimEnd())}`);
  for (const line of lines) console.log(`${indent}${line.trimEnd()}`);
}

/** Each row as lines of names and values, with an empty line between two rows. */
function printBlocks(columns: readonly string[], cells: readonly (readonly string[])[]): void {
  const widest = Math.max(...columns.map((column) => column.length));
  for (const [at, row] of cells.entries()) {
    if (at > 0) console.log("");
    for (const [index, column] of columns.entries())
      if (row[index] !== "") console.log(`${colours().bold(column.padEnd(widest))}${GAP}${row[index] ?? ""}`);
  }
}

/**
 * The widths of columns that fit into a line, or null. A column is at least as wide as its name and its longest word; the widest gets
 * narrower first. @public
 */
export function widthsOf(columns: readonly string[], cells: readonly (readonly string[])[], lineWidth: number): number[] | null {
  const widthIn = (at: number, of: (text: string) => number) =>
    Math.max(columns[at]?.length ?? 0, ...cells.map((row) => of(row[at] ?? "")));
  const least = columns.map((_, at) => widthIn(at, (text) => Math.max(0, ...text.split(/\s+/).map((word) => stringWidth(word)))));
  const found = columns.map((_, at) => widthIn(at, (text) => stringWidth(text)));
  const excess = () => found.reduce((sum, width) => sum + width, GAP.length * (found.length - 1)) - lineWidth;
  while (excess() > 0) {
    const shrinkable = found.flatMap((width, at) => (width > (least[at] ?? 0) ? [{ width, at }] : []));
    const [widest] = shrinkable.toSorted((left, right) => right.width - left.width);
    if (widest === undefined) return null;
    found[widest.at] = Math.max(least[widest.at] ?? 0, widest.width - excess());
  }
  return found;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  if (isTable(value)) return value.map(textOf).join("; ");
  if (isRow(value))
    return isSummary(value)
      ? value.en
      : Object.entries(value)
          .flatMap(([name, one]) => fieldText(name, one))
          .join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

const fieldText = (name: string, value: unknown): string[] => (textOf(value) === "" ? [] : [`${name} ${textOf(value)}`]);

/** Words in each language of partners: a cell has them in that of the command. */
const isSummary = (value: Row): value is Row & { readonly en: string } => typeof value.en === "string" && typeof value.ru === "string";
