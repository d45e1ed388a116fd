import { html } from "hono/html";
import type { ProcessorObject } from "../state.ts";

export type Cell = string | ReturnType<typeof html>;

/** A table of a page, or a word that there is nothing in it yet. */
export function table(title: string, head: readonly string[], rows: readonly Cell[][]) {
  if (rows.length === 0) return html`<h2>${title}</h2><p class="note">None yet.</p>`;
  return html`<h2>${title}</h2>
<div class="scroll"><table>
  <tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr>
  ${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}
</table></div>`;
}

/** A button that does something to an object. */
export function button(action: string, object: ProcessorObject, label: string) {
  return html`<form method="post" action="/act/${action}/${object.id}"><button>${label}</button></form>`;
}

export const environment = (object: ProcessorObject) => (object.livemode ? "live" : "test");
export const time = (object: ProcessorObject) => clock(object.created * 1000);
export const clock = (moment: number) => new Date(moment).toISOString().slice(11, 19);
