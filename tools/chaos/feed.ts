import type { Partner } from "./partners.ts";
import type { Random } from "./random.ts";
import type { ChaosSystem } from "./system.ts";

/** The feed of events, as a partner's program reads it: it keeps the cursor with what it has seen. */

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly next: string;
  readonly has_more: boolean;
}

const TIMEOUT = 60_000;

/** Reads one page, and keeps it. The program may die in between: then it reads the page again. Null while the service is away. */
export async function readFeed(system: ChaosSystem, partner: Partner, random: Random): Promise<Page | null> {
  const { feed } = partner;
  const after = feed.cursor === null ? "" : `&after=${feed.cursor}`;
  const url = `${system.edge}/partner/events?environment=test&limit=${random.between(1, 20)}${after}`;
  try {
    const response = await fetch(url, { headers: { "X-Partner-Api-Key": partner.key }, signal: AbortSignal.timeout(TIMEOUT) });
    if (!response.ok) return null;
    const page = (await response.json()) as Page;
    if (random.happens(0.2)) return page;
    for (const event of page.data) feed.seen.set(String(event.id), JSON.stringify(event));
    feed.cursor = page.next;
    return page;
  } catch {
    return null;
  }
}

/** Reads on to the end, with nothing failing. */
export async function finishFeed(system: ChaosSystem, partner: Partner, random: Random): Promise<void> {
  let isAtEnd = false;
  while (!isAtEnd) {
    const before = partner.feed.cursor;
    const page = await readFeed(system, partner, random);
    isAtEnd = page !== null && !page.has_more && partner.feed.cursor === page.next && before !== null;
  }
}
