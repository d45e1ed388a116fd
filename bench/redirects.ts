import { runtimeMemory } from "./cpu.ts";
import { startRuntime } from "./runtime.ts";
import { median } from "./sampling.ts";
import { openPool, requestText } from "./sockets.ts";

/** Twice as many as an isolate remembers. */
const SLUGS = 20_000;
const WRITERS = 64;

interface Effort {
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly requests: number;
  readonly slugs: number;
}

const WHOLE: Effort = { connections: [1, 8, 64], rounds: 5, requests: 100_000, slugs: SLUGS };

export interface RedirectLoad {
  /** By the number of connections: redirects a second of one hot link, against a bare 302. */
  readonly hot: readonly { readonly connections: number; readonly ratio: number | null; readonly perSecond: number | null }[];
  /** Over 64 connections, all links in turn: the first time, and once more. */
  readonly many: readonly { readonly requests: number; readonly perSecond: number; readonly megabytes: number | null }[];
  /** Memory of the runtime before them, in megabytes. */
  readonly megabytes: number | null;
}

/**
 * Short links under load: one that is hot over more and more connections, and many over the most, twice. Every answer must
 * be a redirect. The memory is that of the whole runtime, with the stores that it simulates.
 */
export async function measureRedirects(say: (progress: string) => void, effort: Effort = WHOLE): Promise<RedirectLoad> {
  const { connections, rounds, requests, slugs: count } = effort;
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
    const hot = [];
    for (const size of connections) {
      const pools = { product: openPool(runtime.product, size), reference: openPool(runtime.reference, size) };
      const found: { readonly own: number; readonly ratio: number }[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const slice = Math.ceil(requests / 50);
        const bare = slice / (await pools.reference.run(slice, () => requestText("GET", "/bare"), 302));
        const own = slice / (await pools.product.run(slice, () => follow(0), 302));
        // The first round warms up.
        if (round > 0) found.push({ own, ratio: own / bare });
      }
      pools.product.close();
      pools.reference.close();
      const of = (pick: (one: (typeof found)[number]) => number, decimals: number) => median(found.map(pick), decimals);
      hot.push({ connections: size, ratio: of(({ ratio }) => ratio, 2), perSecond: of(({ own }) => own, 0) });
      say(`${size} connections measured`);
    }
    const before = runtimeMemory();
    const many = [];
    const pool = openPool(runtime.product, connections.at(-1) ?? 1);
    for (let time = 1; time <= 2; time += 1) {
      const seconds = await pool.run(requests, follow, 302);
      many.push({ requests, perSecond: Math.round(requests / seconds), megabytes: runtimeMemory() });
      say(`${requests} redirects by ${count} links, ${time} of 2`);
    }
    pool.close();
    return { hot, many, megabytes: before };
  } finally {
    await runtime.close();
  }
}
