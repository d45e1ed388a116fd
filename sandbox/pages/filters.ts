import { html } from "hono/html";
import { type Order, textOf } from "./orders.ts";
import type { Cell } from "./tables.ts";

/** The filter of orders; each field is empty for all. */
export interface Filter {
  readonly partner: string;
  readonly environment: string;
  readonly text: string;
}

export function filterIn({ partner = "", environment = "", text = "" }: Readonly<Record<string, string>>): Filter {
  return { partner, environment, text };
}

export function fits(filter: Filter, order: Order, partner: string | null): boolean {
  return (
    (filter.partner === "" || partner === filter.partner) &&
    (filter.environment === "" || order.environment === filter.environment) &&
    textOf(order).includes(filter.text.trim().toLowerCase())
  );
}

const option = (value: string, label: string, chosen: string) =>
  html`<option value="${value}"${value === chosen ? " selected" : ""}>${label}</option>`;

/** The filter form. It is outside the refreshed sections, so that input stays. */
export function filterForm(filter: Filter, partners: readonly string[]): Cell {
  return html`<form method="get" class="row filter" role="search">
<label>Partner <select name="partner">${option("", "all", filter.partner)}${partners.map((one) => option(one, one, filter.partner))}</select></label>
<label>Environment <select name="environment">${["", "test", "live"].map((one) => option(one, one || "both", filter.environment))}</select></label>
<label>Text <input name="text" value="${filter.text}" placeholder="id, product, e-mail, order" autocomplete="off"></label>
<button>Show</button></form>`;
}
