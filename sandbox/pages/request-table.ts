import { html } from "hono/html";
import { localSecrets } from "../local-settings.ts";
import type { World } from "../world.ts";
import { curlOf } from "./curl.ts";
import { type Cell, clock, code, folded, MAX_ROWS, prettyJson, type Row, type Section, table } from "./tables.ts";

type Request = World["state"]["requests"][number];

const HEAD = ["At", "To", "Call", "Status", "Idempotency key"];

/** Calls from the edge to the processor and the bank, newest first. GET calls are collapsed, because there are many. */
export function requests(world: World): Section {
  const all = world.state.requests;
  const looks = all.filter(({ method }) => method === "GET");
  const changes = table(
    HEAD,
    rowsOf(
      world.origin,
      all.filter(({ method }) => method !== "GET"),
    ),
    "None yet.",
  );
  const content = html`${changes}
<div class="row">${folded("looks", `${looks.length} that only look`, table(HEAD, rowsOf(world.origin, looks), "None yet."))}</div>`;
  return { id: "requests", title: "Requests", count: all.length - looks.length, content };
}

function rowsOf(origin: string, all: readonly Request[]): Row[] {
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
      const body = request.body === "" ? "" : html`<pre tabindex="0">${readable(request.body)}</pre>`;
      const copy = html`<button type="button" data-copy="${asCurl(origin, request)}">Copy as curl</button>`;
      return { cells, more: folded(`${request.at} ${request.path}`, "Request", html`${body}${copy}`) };
    });
}

/** The call as a command for a terminal, with the sandbox's key; the processor takes forms, and the bank JSON. */
function asCurl(origin: string, { target, method, path, body, idempotency_key: key, livemode }: Request): string {
  const query = method === "GET" && body !== "" ? `?${body}` : "";
  const headers = target === "bank" ? ["Content-Type: application/json"] : [`Authorization: Bearer ${livemode ? KEYS.live : KEYS.test}`];
  if (key !== null) headers.push(`Idempotency-Key: ${key}`);
  return curlOf(method, `${origin}${path}${query}`, headers, method === "GET" ? "" : body);
}

const KEYS = { live: localSecrets.PROCESSOR_KEY_LIVE, test: localSecrets.PROCESSOR_KEY_TEST };

function statusCell(status: number): Cell {
  return status < 400 ? String(status) : html`<span class="bad">${status}</span>`;
}

/** Pretty-printed JSON, or a form with one field per line. */
function readable(body: string): string {
  return prettyJson(body) ?? [...new URLSearchParams(body)].map(([name, value]) => `${name} = ${value}`).join("\n");
}
