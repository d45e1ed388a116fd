import { html } from "hono/html";
import { hmacSha256Hex } from "../../src/core/digest.ts";
import type { Inbox } from "../state.ts";
import type { World } from "../world.ts";
import { type Cell, clock, code, folded, MAX_ROWS, prettyJson, type Row, type Section, table } from "./tables.ts";

type Received = Inbox["received"][number] & { readonly inbox: string };

/** Received events with their delivery attempts, newest first. */
export function events(world: World): Section {
  const received = Object.entries(world.state.inboxes).flatMap(([inbox, { received: all }]) => all.map((one) => ({ ...one, inbox })));
  const byEvent = Map.groupBy(received, (attempt) => `${attempt.inbox} ${attempt.headers["service-event-id"] ?? ""}`);
  const newest = [...byEvent].toSorted(([, left], [, right]) => lastOf(right) - lastOf(left)).slice(0, MAX_ROWS);
  return { id: "events", title: "Events delivered", count: byEvent.size, content: describe(world, newest) };
}

const lastOf = (attempts: readonly Received[]) => attempts.at(-1)?.at ?? 0;

async function describe(world: World, shown: readonly (readonly [string, readonly Received[]])[]): Promise<Cell> {
  const { secrets } = world.state;
  const checked = await Promise.all(
    shown.map(
      async ([key, attempts]) =>
        [key, await Promise.all(attempts.map(async (one) => ({ ...one, verifies: await verifies(one, secrets) })))] as const,
    ),
  );
  // Secrets are not assigned to inboxes: if nothing in an inbox verifies, its secret may not have been entered.
  const known = new Set(checked.flatMap(([, attempts]) => attempts.filter((one) => one.verifies).map(({ inbox }) => inbox)));
  const rows = checked.map(([key, attempts]) => {
    const verdicts = attempts.map((one) => verdict(one.verifies, secrets.length > 0, known.has(one.inbox)));
    return row(key, attempts, verdicts);
  });
  const none = html`None yet. Register <code>${world.origin}/inbox/any-name</code> as a test URL.`;
  const content = table(["Last", "Inbox", "Event", "Attempts", "Answered", "Signature"], rows, none);
  return html`${content}
<form class="row" method="post" action="/secrets"><label>Check signatures with <input name="secret" required pattern="whsec_.+" placeholder="whsec_…" autocomplete="off"></label> <button>Check</button></form>`;
}

function row(key: string, attempts: readonly Received[], verdicts: readonly Cell[]): Row {
  const [first] = attempts;
  const taken = attempts.filter(isTaken).length;
  const doubled = taken > 1 ? html` <span class="bad">taken ${taken} times</span>` : "";
  const cells = [
    clock(lastOf(attempts)),
    first?.inbox ?? "",
    first?.headers["service-event-type"] ?? "",
    html`${attempts.length}${doubled}`,
    String(attempts.at(-1)?.answered ?? ""),
    verdicts.at(-1) ?? "",
  ];
  return { cells, more: folded(key, "Attempts", details(attempts, verdicts)) };
}

function details(attempts: readonly Received[], verdicts: readonly Cell[]): Cell {
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
<pre>${prettyJson(first?.body ?? "") ?? first?.body}</pre>`;
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
