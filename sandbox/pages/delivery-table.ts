import { html } from "hono/html";
import { hmacSha256Hex } from "../../src/core/digest.ts";
import type { Inbox } from "../state.ts";
import type { World } from "../world.ts";
import { type Cell, clock, table } from "./tables.ts";

const MOST_ROWS = 25;

type Received = Inbox["received"][number];

/** What receivers got, the newest first: how old each was, whether it had been taken before, whose signature it bears. */
export async function deliveries(world: World) {
  const all = Object.entries(world.state.inboxes).flatMap(([name, { received }]) => withDoubles(received).map((row) => ({ ...row, name })));
  const newest = all.toSorted((left, right) => right.at - left.at).slice(0, MOST_ROWS);
  const rows = await Promise.all(newest.map(async (row) => ({ ...row, verifies: await verifies(row, world.state.secrets) })));
  const withSecret = new Set(rows.filter((row) => row.verifies).map(({ name }) => name));
  const cells = rows.map((row): Cell[] => [
    clock(row.at),
    row.name,
    row.headers["service-event-type"] ?? "",
    html`<code>${eventOf(row) ?? ""}</code>`,
    row.headers["service-delivery-attempt"] ?? "",
    row.takenBefore ? html`<span class="bad">taken before</span>` : "",
    String(row.answered),
    age(row),
    verdict(row.verifies, world.state.secrets.length > 0, withSecret.has(row.name)),
  ]);
  const head = ["At", "Inbox", "Event", "Id", "Attempt", "Duplicate", "Answered", "Age", "Signature"];
  return html`${table("Events delivered", head, cells)}
<p class="note">
  <form method="post" action="/secrets"><label>Check signatures with <input name="secret" required pattern="whsec_.+" placeholder="whsec_…"></label> <button>Check</button></form>
</p>`;
}

/** An inbox's deliveries, each with whether its event had been taken before. */
function withDoubles(received: readonly Received[]) {
  const taken = new Set<string | undefined>();
  return received.map((delivery) => {
    const takenBefore = taken.has(eventOf(delivery));
    if (isTaken(delivery)) taken.add(eventOf(delivery));
    return { ...delivery, takenBefore };
  });
}

const eventOf = ({ headers }: Received) => headers["service-event-id"];
const isTaken = ({ answered }: Received) => answered >= 200 && answered < 300;

/** How old the signed timestamp was when the delivery came; marked where receivers should refuse it. */
function age({ at, headers }: Received): Cell {
  const seconds = Math.floor(at / 1000) - Number(headers["service-timestamp"]);
  if (Number.isNaN(seconds)) return html`<span class="bad">no timestamp</span>`;
  return seconds <= 300 && seconds >= -60 ? `${seconds} s` : html`<span class="bad">${seconds} s</span>`;
}

async function verifies({ headers, body }: Received, secrets: readonly string[]): Promise<boolean> {
  const message = new TextEncoder().encode(`${headers["service-event-id"]}.${headers["service-timestamp"]}.${body}`);
  const right = await Promise.all(secrets.map(async (secret) => `v1,${await hmacSha256Hex(secret, message)}`));
  return (headers["service-signature"] ?? "").split(" ").some((value) => right.includes(value));
}

/** Which secret belongs to which inbox nobody says: one that never verified may simply have none here. */
function verdict(isRight: boolean, hasSecrets: boolean, hasItsSecret: boolean): Cell {
  if (isRight) return html`<span class="good">verifies</span>`;
  if (!hasSecrets) return "not checked";
  return hasItsSecret ? html`<span class="bad">does not verify</span>` : "by none of the secrets given";
}
