import { html } from "hono/html";
import type { World } from "../world.ts";
import { type Cell, clock, code, folded, MAX_ROWS, prettyJson, type Row, type Section, table } from "./tables.ts";

type Request = World["state"]["requests"][number];

const HEAD = ["At", "To", "Call", "Status", "Idempotency key"];

/** Calls from the edge to the processor and the bank, newest first. GET calls are collapsed, because there are many. */
export function requests(world: World): Section {
  const all = world.state.requests;
  const looks = all.filter(({ method }) => method === "GET");
  const changes = table(HEAD, rowsOf(all.filter(({ method }) => method !== "GET")), "None yet.");
  const content = html`${changes}
<div class="row">${folded("looks", `${looks.length} that only look`, table(HEAD, rowsOf(looks), "None yet."))}</div>`;
  return { id: "requests", title: "Requests", count: all.length - looks.length, content };
}

function rowsOf(all: readonly Request[]): Row[] {
  return all
    .slice(-MAX_ROWS)
    .toReversed()
    .map((request) => {
      const cells = [
        clock(request.at),
        request.target,
        code(`${request.method} ${request.path}`),
        request.status === null ? html`<span class="bad">cut</span>` : statusCell(request.status),
        code(request.idempotency_key?.slice(0, 12)),
      ];
      if (request.body === "") return cells;
      return { cells, more: folded(`${request.at} ${request.path}`, "Body", html`<pre>${readable(request.body)}</pre>`) };
    });
}

function statusCell(status: number): Cell {
  return status < 400 ? String(status) : html`<span class="bad">${status}</span>`;
}

/** Pretty-printed JSON, or a form with one field per line. */
function readable(body: string): string {
  return prettyJson(body) ?? [...new URLSearchParams(body)].map(([name, value]) => `${name} = ${value}`).join("\n");
}
