import { printableJson } from "../../local/printable.ts";

type Row = Readonly<Record<string, unknown>>;

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
    print(message);
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
  if (wrong !== null) console.log(`  ! ${textOf(wrong)}${command === null ? "" : ` (npm run ops -- ${textOf(command)})`}`);
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

/** The maximum width of a table cell. */
const MAX_CELL = 70;

function printTable(name: string, rows: readonly Row[]): void {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) => rows.some((row) => textOf(row[column]) !== ""));
  const cells = rows.map((row) => columns.map((column) => shortened(textOf(row[column]))));
  const widths = columns.map((column, at) => Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  if (name !== "data") console.log(`${name}:`);
  for (const row of [columns, widths.map((width) => "-".repeat(width)), ...cells]) console.log(line(row));
}

function shortened(text: string): string {
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
