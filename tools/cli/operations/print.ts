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
    else if (isTable(value)) printTable(name, value);
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
/** No column gets narrower. */
const MIN_COLUMN = 8;

/** Prints rows as a table as wide as the terminal: longer cells are wrapped. Without a terminal it is as wide as its cells. */
function printTable(name: string, rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) => rows.some((row) => textOf(row[column]) !== ""));
  const cells = rows.map((row) => columns.map((column) => printable(textOf(row[column]))));
  const widest = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => stringWidth(row[at] ?? ""))));
  const table = new Table({
    head: columns.map((column) => colours().bold(column)),
    chars: { ...NO_LINES, middle: GAP },
    colWidths: fitted(widest, process.stdout.columns ?? Number.POSITIVE_INFINITY),
    wordWrap: true,
    wrapOnWordBoundary: false,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  table.push(...cells);
  if (name !== "data") console.log(`${name}:`);
  for (const line of table.toString().split("\n")) console.log(line.trimEnd());
}

/** The widths of columns that fit into a line: the widest gets narrower first. @public */
export function fitted(widths: readonly number[], lineWidth: number): number[] {
  const found = [...widths];
  const excess = () => found.reduce((sum, width) => sum + width, GAP.length * (found.length - 1)) - lineWidth;
  while (excess() > 0) {
    const widest = Math.max(...found);
    if (widest <= MIN_COLUMN) break;
    const next = Math.max(MIN_COLUMN, ...found.filter((width) => width < widest));
    const at = found.indexOf(widest);
    found[at] = Math.max(next - 1, widest - excess(), MIN_COLUMN);
  }
  return found;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
