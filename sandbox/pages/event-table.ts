import { html } from "hono/html";
import { hmacSha256Hex } from "../../src/core/digest.ts";
import type { Inbox } from "../state.ts";
import type { World } from "../world.ts";
import { curlOf } from "./curl.ts";
import { type Cell, clock, code, folded, prettyJson, type Row, table } from "./tables.ts";

type Received = Inbox["received"][number] & { readonly inbox: string };

/** An event with its deliveries to one receiver. */
export interface ShownEvent {
  /** Unix milliseconds: of the last attempt. */
  readonly at: number;
  /** As it was sent. */
  readonly body: string;
  readonly name: string;
  /** Its receiver, which usually has the partner's name. */
  readonly inbox: string;
  readonly row: Row;
}

/** Headers of the delivery's connection, which a copy does not need. */
const OF_CONNECTION = new Set(["host", "content-length", "connection", "accept-encoding", "transfer-encoding"]);

const HEAD = ["Last", "Event", "Receiver", "Attempts", "Answered", "Signature"];

export const eventTable = (events: readonly ShownEvent[], none: Cell) =>
  table(
    HEAD,
    events.map(({ row }) => row),
    none,
  );

/** Every event that came to an inbox, with its delivery attempts. The console shows those for other receivers. */
export async function shownEvents(world: World): Promise<ShownEvent[]> {
  const received = Object.entries(world.state.inboxes).flatMap(([inbox, { received: all }]) => all.map((one) => ({ ...one, inbox })));
  const byEvent = Map.groupBy(received, (attempt) => `${attempt.inbox} ${idOf(attempt)}`);
  return (await ofInboxes(world, byEvent)).toSorted((left, right) => right.at - left.at);
}

const idOf = ({ headers }: Received) => headers["service-event-id"] ?? "";

async function ofInboxes(world: World, byEvent: ReadonlyMap<string, readonly Received[]>): Promise<ShownEvent[]> {
  const { secrets } = world.state;
  const checked = await Promise.all(
    [...byEvent].map(
      async ([key, attempts]) =>
        [key, await Promise.all(attempts.map(async (one) => ({ ...one, verifies: await verifies(one, secrets) })))] as const,
    ),
  );
  // Secrets are not assigned to inboxes. If nothing in an inbox verifies, its secret may not have been entered.
  const known = new Set(checked.flatMap(([, attempts]) => attempts.filter((one) => one.verifies).map(({ inbox }) => inbox)));
  return checked.flatMap(([key, attempts]) => {
    const [first] = attempts;
    if (first === undefined) return [];
    const verdicts = attempts.map((one) => verdict(one.verifies, secrets.length > 0, known.has(one.inbox)));
    const at = attempts.at(-1)?.at ?? 0;
    const name = first.headers["service-event-type"] ?? "";
    return [{ at, body: first.body, name, inbox: first.inbox, row: receivedRow(world.origin, key, attempts, verdicts) }];
  });
}

function receivedRow(origin: string, key: string, attempts: readonly Received[], verdicts: readonly Cell[]): Row {
  const [first] = attempts;
  const taken = attempts.filter(isTaken).length;
  const doubled = taken > 1 ? html` <span class="bad">taken ${taken} times</span>` : "";
  const cells = [
    clock(attempts.at(-1)?.at ?? 0),
    first?.headers["service-event-type"] ?? "",
    `inbox ${first?.inbox ?? ""}`,
    html`${attempts.length}${doubled}`,
    String(attempts.at(-1)?.answered ?? ""),
    verdicts.at(-1) ?? "",
  ];
  return { cells, more: folded(key, "Attempts", details(origin, attempts, verdicts)) };
}

function details(origin: string, attempts: readonly Received[], verdicts: readonly Cell[]): Cell {
  const rows = attempts.map((attempt, index): Cell[] => [
    clock(attempt.at),
    attempt.headers["service-delivery-attempt"] ?? "",
    String(attempt.answered),
    attempts.slice(0, index).some(isTaken) ? html`<span class="bad">taken before</span>` : "",
    ageOf(attempt),
    verdicts[index] ?? "",
    code(attempt.headers["service-signature"]?.replaceAll(" ", "\n")),
  ]);
  const first = attempts[0];
  return html`<p class="note">${code(first?.headers["service-event-id"])}</p>
${table(["At", "Attempt", "Answered", "Duplicate", "Age", "Signature", "Header"], rows, "")}
<pre tabindex="0">${prettyJson(first?.body ?? "") ?? first?.body}</pre>
${first === undefined ? "" : html`<button type="button" data-copy="${asCurl(origin, first)}">Copy the delivery as curl</button>`}`;
}

/** A delivery as a command, for sending it to another receiver. Its signature is valid for five minutes. */
function asCurl(origin: string, { inbox, headers, body }: Received): string {
  const sent = Object.entries(headers).filter(([name]) => !OF_CONNECTION.has(name) && !name.startsWith("cf-"));
  return curlOf(
    "POST",
    `${origin}/inbox/${inbox}`,
    sent.map(([name, value]) => `${name}: ${value}`),
    body,
  );
}

const isTaken = ({ answered }: Received) => answered >= 200 && answered < 300;

/** The age of the signed timestamp at arrival; highlighted if receivers should refuse it. */
function ageOf({ at, headers }: Received): Cell {
  const seconds = Math.floor(at / 1000) - Number(headers["service-timestamp"]);
  if (Number.isNaN(seconds)) return html`<span class="bad">no timestamp</span>`;
  return seconds <= 300 && seconds >= -60 ? `${seconds} s` : html`<span class="bad">${seconds} s</span>`;
}

async function verifies({ headers, body }: Received, secrets: readonly string[]): Promise<boolean> {
  const message = new TextEncoder().encode(`${headers["service-event-id"]}.${headers["service-timestamp"]}.${body}`);
  const right = await Promise.all(secrets.map(async (secret) => `v1,${await hmacSha256Hex(secret, message)}`));
  return (headers["service-signature"] ?? "").split(" ").some((value) => right.includes(value));
}

function verdict(isRight: boolean, hasSecrets: boolean, hasItsSecret: boolean): Cell {
  if (isRight) return html`<span class="good">verifies</span>`;
  if (!hasSecrets) return "not checked";
  return hasItsSecret ? html`<span class="bad">does not verify</span>` : "by none of the secrets given";
}
