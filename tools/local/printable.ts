import { inspect } from "node:util";

/** Characters that a terminal acts on, or that change how a line reads: control and format characters, but for line ends and tabs. */
const NOT_PRINTABLE = /[^\P{C}\n\t]/gu;

/**
 * A text as a terminal may get it. Commands print names, messages and answers of others, and a character that a terminal acts on could
 * move its cursor, hide a line or set its title.
 */
export function printable(text: string): string {
  return text.replace(NOT_PRINTABLE, "�");
}

/** JSON whose strings hold the same characters, written with escapes. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(NOT_PRINTABLE, (character) =>
    [...Array(character.length).keys()].map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, "0")}`).join(""),
  );
}

const ESCAPE = "\u001B";
/** Bold, dim, red and their ends: how commands colour what they print. They hide nothing and move nothing. */
const COLOUR = new RegExp(`(${ESCAPE}\\[(?:1|2|22|31|39)m)`);

/** A line of a command: printable text, and the command's own colours. */
function printableLine(text: string): string {
  return text
    .split(COLOUR)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");
}

/** From now on, `console` prints printable lines alone. Each command begins with it. */
export function guardConsole(): void {
  for (const method of ["log", "error", "warn", "info"] as const) {
    const print = console[method].bind(console);
    console[method] = (...values: unknown[]) =>
      print(...values.map((value) => printableLine(typeof value === "string" ? value : inspect(value))));
  }
}
