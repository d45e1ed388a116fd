import { runtimeMemory } from "./cpu.ts";
import { startRuntime } from "./runtime.ts";
import { openPool, requestText } from "./sockets.ts";

/** Twice as many as an isolate remembers. */
const SLUGS = 20_000;
const CONNECTIONS = 64;
const WRITERS = 64;

interface Effort {
  readonly requests: number;
  readonly slugs: number;
}

const WHOLE: Effort = { requests: 100_000, slugs: SLUGS };

export interface RedirectLoad {
  /** Over 64 connections, all links in turn: the first time, and once more. */
  readonly many: readonly { readonly requests: number; readonly perSecond: number; readonly megabytes: number | null }[];
  /** Memory of the runtime before them, in megabytes. */
  readonly megabytes: number | null;
}

/**
 * Many short links over many connections, twice. Every answer must be a redirect. The memory is that of the whole runtime,
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
    const follow = (index: number) => requestText("GET", `/${slugs[index % count]}`);
    const before = runtimeMemory();
    const many = [];
    const pool = openPool(runtime.product, CONNECTIONS);
    for (let time = 1; time <= 2; time += 1) {
      const seconds = await pool.run(requests, follow, 302);
      many.push({ requests, perSecond: Math.round(requests / seconds), megabytes: runtimeMemory() });
      say(`${requests} redirects by ${count} links, ${time} of 2`);
    }
    pool.close();
    return { many, megabytes: before };
  } finally {
    await runtime.close();
  }
}
