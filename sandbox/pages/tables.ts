import { html } from "hono/html";
import type { ProcessorObject } from "../state.ts";

export type Cell = string | ReturnType<typeof html>;

/** How many of a kind the page shows, the newest. */
export const MOST_ROWS = 25;

/** A part of the start page: the menu leads to it, and it is brought up to date by itself. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** How many there are, shown or not. */
  readonly count: number;
  readonly content: Cell | Promise<Cell>;
}

/** A section that lists things, the newest of them; `none` says where they come from. */
export function listing<Thing>(
  about: { readonly id: string; readonly title: string; readonly head: readonly string[]; readonly none: Cell },
  all: readonly Thing[],
  toRow: (thing: Thing) => Cell[],
): Section {
  const { id, title, head, none } = about;
  return { id, title, count: all.length, content: table(head, all.slice(0, MOST_ROWS).map(toRow), none) };
}

/** A row of a table; what there is more of stands below it, across the table. */
export type Row = readonly Cell[] | { readonly cells: readonly Cell[]; readonly more: Cell };

/** A table of a page, a card for each row on a phone; or a word that there is nothing in it yet, and where it comes from. */
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

/** A button that does something to an object. */
export function button(action: string, object: ProcessorObject, label: string) {
  return html`<form method="post" action="/act/${action}/${object.id}"><button>${label}</button></form>`;
}

/** Several in a cell. */
export const buttons = (...all: Cell[]) => html`<div class="buttons">${all}</div>`;

/** What there is more of, folded up; `key` keeps it open while the page is brought up to date. */
export const folded = (key: string, summary: Cell, content: Cell) =>
  html`<details data-key="${key}"><summary>${summary}</summary>${content}</details>`;

/** What an object says in a field, where it says it by a text or a number. */
export const words = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : "");
export const code = (value: unknown) => html`<code>${words(value)}</code>`;
/** JSON line by line; null where a text is none. */
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
