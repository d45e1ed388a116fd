import type { Books } from "./books.ts";
import type { Violation } from "./violation.ts";
import { type Thing, textOf, type World } from "./world.ts";

/** The token of a record, as in the history. */
const TOKEN = "substr(key, instr(key, ':') + 1)";

/** Rows that must not exist once the service is at rest, and why. */
const LEFT = [
  [
    "a request is neither done nor failed",
    `SELECT ${TOKEN} AS about, operation || ' is ' || state AS what FROM idempotency_records WHERE state IN ('running', 'awaiting_short_link')`,
  ],
  [
    "something is still to be undone",
    `SELECT ${TOKEN} AS about, operation AS what FROM idempotency_records WHERE compensate_at IS NOT NULL`,
  ],
  [
    // A further webhook's, whose id has a code behind a dot, is given up where the webhook was removed.
    "an event is not delivered",
    "SELECT cause AS about, name || ' is ' || state AS what FROM events WHERE environment = 'test' AND state <> 'succeeded' AND NOT (state = 'exhausted' AND instr(id, '.') > 0)",
  ],
  ["a payment waits to be looked at", "SELECT subject AS about, state || ': ' || coalesce(last_error, '') AS what FROM refreshes"],
  ["a movement has no owner", "SELECT payment_intent_id AS about, id AS what FROM movements WHERE partner_id IS NULL"],
  ["a subscription has no owner", "SELECT id AS about, status AS what FROM subscriptions WHERE partner_id IS NULL"],
] as const;

/** Nothing is left half done, and every short link leads to its own checkout. */
export function auditUnfinished(books: Books, world: World): Violation[] {
  const left = LEFT.flatMap(([why, sql]) =>
    books.rows(sql).map(({ about, what }) => ({
      promise: "no state is left behind",
      what: `${why}: ${what}`,
      about: String(about).split(":").at(-1) ?? "",
    })),
  );
  return [...left, ...auditShortLinks(books, world.things)];
}

function auditShortLinks(books: Books, things: readonly Thing[]): Violation[] {
  const links = new Map(things.filter(({ object }) => object === "payment_link").map((link) => [link.id, link]));
  const shortLinks = books.shortLinks();
  return books.rows("SELECT id, slug, url, partner_id FROM payment_links").flatMap(({ id, slug, url, partner_id }) => {
    const cached = shortLinks.get(String(slug));
    const link = links.get(String(id));
    const wrong = (what: string) => [{ promise: "a short link leads to its own checkout", what, about: String(id) }];
    if (textOf(link, "url") !== url) return wrong(`${slug} leads elsewhere than the processor's ${id}`);
    // A compensated link keeps its row, for payments that were started with it.
    if (slug === null) return link?.active === false ? [] : wrong(`${id} can be used, and has no short link`);
    return cached === undefined || cached === `${partner_id} ${url}` ? [] : wrong(`KV leads ${slug} elsewhere than ${id}`);
  });
}
