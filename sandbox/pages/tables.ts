import { html } from "hono/html";
import type { ProcessorObject } from "../state.ts";

export type Cell = string | ReturnType<typeof html>;

/** Maximum number of rows in a section; the newest are shown. */
export const MAX_ROWS = 25;

/** A section of the start page. The menu links to it, and it is refreshed automatically. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** The total number, including rows that are not shown. */
  readonly count: number;
  readonly content: Cell | Promise<Cell>;
}

/** A section that lists the newest objects; `none` is shown if there are none. */
export function listing<Thing>(
  about: { readonly id: string; readonly title: string; readonly head: readonly string[]; readonly none: Cell },
  all: readonly Thing[],
  toRow: (thing: Thing) => Cell[],
): Section {
  const { id, title, head, none } = about;
  return { id, title, count: all.length, content: table(head, all.slice(0, MAX_ROWS).map(toRow), none) };
}

/** A table row; `more` is shown below it, across all columns. */
export type Row = readonly Cell[] | { readonly cells: readonly Cell[]; readonly more: Cell };

/** A table, with a card for each row on a phone; `none` is shown if there are no rows. */
export function table(head: readonly string[], rows: readonly Row[], none: Cell) {
  if (rows.length === 0) return html`<p class="note">${none}</p>`;
  return html`<div class="scroll"><table>
  <thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
  ${rows.map((row) => ("cells" in row ? entry(head, row.cells, row.more) : entry(head, row)))}
</table></div>`;
}

function entry(head: readonly string[], cells: readonly Cell[], more?: Cell) {
  return html`<tbody><tr>${cells.map((cell, index) => html`<td data-head="${head[index] ?? ""}">${cell}</td>`)}</tr>
  ${more === undefined ? "" : html`<tr class="more"><td colspan="${head.length}">${more}</td></tr>`}</tbody>`;
}

/** A button for an action on an object. */
export function button(action: string, object: ProcessorObject, label: string) {
  return html`<form method="post" action="/act/${action}/${object.id}"><button>${label}</button></form>`;
}

/** Several buttons in one cell. */
export const buttons = (...all: Cell[]) => html`<div class="buttons">${all}</div>`;

/** Collapsible details; `key` keeps them open when the page refreshes. */
export const folded = (key: string, summary: Cell, content: Cell) =>
  html`<details data-key="${key}"><summary>${summary}</summary>${content}</details>`;

/** The text of a string or a number; empty for any other value. */
export const words = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");
export const code = (value: unknown) => html`<code>${words(value)}</code>`;
/** Pretty-printed JSON; null if the text is not JSON. */
export function prettyJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

export const environment = (object: ProcessorObject) => (object.livemode ? "live" : "test");
export const time = (object: ProcessorObject) => clock(object.created * 1000);
export const clock = (moment: number) => new Date(moment).toISOString().slice(11, 19);
