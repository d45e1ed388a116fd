import { runtimeMemory } from "./cpu.ts";
import { startRuntime } from "./runtime.ts";
import { openPool, requestText } from "./sockets.ts";

/** More than an isolate remembers, so each redirect in turn reads KV. */
const SLUGS = 12_000;
const CONNECTIONS = 64;
const WRITERS = 64;

interface Effort {
  readonly requests: number;
  readonly slugs: number;
}

const WHOLE: Effort = { requests: 100_000, slugs: SLUGS };

/** The followed slugs, and their share of all requests. */
const PASSES = [
  { what: "all links in turn", part: 0.25, isOne: false },
  { what: "one link", part: 0.5, isOne: true },
  { what: "all links in turn, again", part: 0.25, isOne: false },
] as const;

export interface RedirectLoad {
  /** Over 64 connections, one pass after the other. */
  readonly passes: readonly {
    readonly what: string;
    readonly requests: number;
    readonly perSecond: number;
    readonly megabytes: number | null;
  }[];
  /** Memory of the runtime before the passes, in megabytes. */
  readonly megabytes: number | null;
}

/**
 * Many short links over many connections, and one of them. Every answer must be a redirect. The memory is that of the whole runtime,
 * with the stores that it simulates.
 */
export async function measureRedirects(say: (progress: string) => void, effort: Effort = WHOLE): Promise<RedirectLoad> {
  const { requests, slugs: count } = effort;
  const runtime = await startRuntime();
  const slugs = Array.from({ length: count }, (_, index) => `01Load${String(index).padStart(8, "0")}`);
  try {
    const waiting = slugs.entries();
    const writers = Array.from({ length: WRITERS }, async () => {
      for (const [, slug] of waiting) await runtime.shortLinks.put(slug, `acme https://checkout.example/${slug}`);
    });
    await Promise.all(writers);
    say(`${count} links are stored`);
    const before = runtimeMemory();
    const passes = [];
    const pool = openPool(runtime.links, CONNECTIONS);
    for (const { what, part, isOne } of PASSES) {
      const own = Math.ceil(requests * part);
      const seconds = await pool.run(own, (index) => requestText("GET", `/${slugs[isOne ? 0 : index % count]}`), 302);
      passes.push({ what, requests: own, perSecond: Math.round(own / seconds), megabytes: runtimeMemory() });
      say(`${own} redirects by ${what}`);
    }
    pool.close();
    return { passes, megabytes: before };
  } finally {
    await runtime.close();
  }
}
