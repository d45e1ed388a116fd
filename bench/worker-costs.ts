import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { runtimeCpuSeconds } from "./cpu.ts";
import { generateMovements } from "./movements.ts";
import { type Runtime, startRuntime } from "./runtime.ts";
import { median } from "./sampling.ts";
import { openPool, type Pool, requestBytes } from "./sockets.ts";
import { KEY } from "./worker.ts";

const ROUNDS = 7;
const CONNECTIONS = 16;
const MOVEMENTS = 10_000;
const SLUGS = 1_000;

/** One side of a comparison: the requests of a slice. */
interface Side {
  readonly to: "product" | "reference";
  readonly status: number;
  readonly request: (index: number) => Buffer;
}

/** A comparison of the product with the platform. */
interface Comparison {
  readonly name: string;
  readonly reference: string;
  readonly by: "cpu" | "rate";
  /** The most for `cpu`, the least for `rate`. */
  readonly goal: number;
  readonly requests: number;
  readonly product: Side;
  readonly base: Side;
  /** What the product does and the reference does not, taken off the product's cost. */
  readonly without?: Side;
}

export interface Compared {
  readonly name: string;
  readonly reference: string;
  readonly by: "cpu" | "rate";
  readonly goal: number;
  readonly ratio: number | null;
  /** CPU microseconds of a request. */
  readonly cpu: number | null;
  readonly baseCpu: number | null;
}

const keyHash = createHash("sha256").update(KEY).digest("hex");
const json = { "Content-Type": "application/json", "X-Partner-Api-Key": KEY };

const cart = (token: string, lines: number) =>
  JSON.stringify({
    items: Array.from({ length: lines }, (_, line) => ({ stripe_product_id: productId(line), unit_amount: 1000, quantity: 1 })),
    client_token: token,
  });
const productId = (line: number) => `prod_acmeBulk${String(line + 1).padStart(2, "0")}`;

function comparisons(slugs: readonly string[]): Comparison[] {
  const slug = slugs[0] ?? "";
  const product = (status: number, request: Side["request"]): Side => ({ to: "product", status, request });
  const base = (status: number, request: Side["request"]): Side => ({ to: "reference", status, request });
  const bare = base(302, always(requestBytes("GET", "/bare")));
  const hot = (query: string) => product(302, always(requestBytes("GET", `/${slug}${query}`)));
  const list = (limit: number): Comparison => ({
    name: `list of ${limit}`,
    reference: "the same statements, raw",
    by: "cpu",
    goal: 1.1,
    requests: 300,
    product: product(200, always(requestBytes("POST", "/list-partner-processor-transactions", json, JSON.stringify({ limit })))),
    base: base(200, always(requestBytes("GET", `/list/${limit}?key=${keyHash}`))),
  });
  let made = 0;
  const fresh =
    (lines: number): Side["request"] =>
    () => {
      made += 1;
      return requestBytes("POST", "/create-partner-processor-cart-payment-link", json, cart(`bench-${made}-${Math.random()}`, lines));
    };
  const freshBase =
    (lines: number): Side["request"] =>
    () => {
      made += 1;
      const products = encodeURIComponent(JSON.stringify(Array.from({ length: lines }, (_, line) => productId(line))));
      return requestBytes("POST", `/create/ref${made}${Math.random()}?key=${keyHash}&products=${products}`, json, cart("", lines));
    };
  const create = (lines: number): Comparison => ({
    name: `cart link of ${lines}, new, without upstream`,
    reference: "the same SQL in a bare Durable Object",
    by: "cpu",
    goal: 1.25,
    requests: 60,
    product: product(200, fresh(lines)),
    base: base(200, freshBase(lines)),
    without: base(200, always(requestBytes("POST", "/upstream/one", json, upstreamBody(lines)))),
  });
  return [
    { name: "hot redirect", reference: "a bare 302", by: "rate", goal: 0.8, requests: 4_000, product: hot(""), base: bare },
    {
      name: "hot redirect with a query",
      reference: "a bare 302",
      by: "rate",
      goal: 0.8,
      requests: 4_000,
      product: hot("?client_reference_id=order-1"),
      base: bare,
    },
    {
      name: "a slug that KV knows",
      reference: "a bare handler with one KV read",
      by: "cpu",
      goal: 1.15,
      requests: SLUGS / (ROUNDS + 1),
      product: product(302, (index) => requestBytes("GET", `/${slugs[index % SLUGS]}`)),
      base: base(302, (index) => requestBytes("GET", `/kv/${slugs[index % SLUGS]}`)),
    },
    list(20),
    list(100),
    create(1),
    create(20),
    {
      name: "cart link of 20, repeated",
      reference: "a bare object call and one D1 read",
      by: "cpu",
      goal: 1.3,
      requests: 300,
      product: product(200, always(requestBytes("POST", "/create-partner-processor-cart-payment-link", json, cart("bench-repeated", 20)))),
      base: base(200, always(requestBytes("GET", `/repeat/one?key=${keyHash}`))),
    },
  ];
}

const always = (request: Buffer) => () => request;

function upstreamBody(lines: number): string {
  const fields = Array.from({ length: lines }, (_, line) => [
    [`line_items[${line}][price_data][product]`, productId(line)],
    [`line_items[${line}][price_data][currency]`, "usd"],
    [`line_items[${line}][price_data][unit_amount]`, "1000"],
    [`line_items[${line}][quantity]`, "1"],
  ]);
  return new URLSearchParams(fields.flat().map(([name = "", value = ""]) => [name, value])).toString();
}

/** Compares the deployable Worker with the platform in one run: short slices in turn, medians of the rounds' ratios. */
export async function measureWorker(
  say: (progress: string) => void,
): Promise<{ readonly results: Compared[]; readonly size: Runtime["size"] }> {
  const runtime = await startRuntime();
  const pools = { product: openPool(runtime.product, CONNECTIONS), reference: openPool(runtime.reference, CONNECTIONS) };
  try {
    await generateMovements(runtime.cell, MOVEMENTS);
    const slugs = Array.from({ length: SLUGS }, (_, index) => `01Bench${String(index).padStart(7, "0")}`);
    for (const slug of slugs) await runtime.shortLinks.put(slug, `https://checkout.example/${slug}`);
    const all = comparisons(slugs);
    const rounds: Map<string, Round>[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const found = new Map<string, Round>();
      for (const comparison of all) found.set(comparison.name, await compare(pools, comparison, round % 2 === 0));
      // The first round warms up and is not counted.
      if (round > 0) rounds.push(found);
      say(round === 0 ? "warmed up" : `round ${round} of ${ROUNDS} done`);
    }
    const results = all.map(({ name, reference, by, goal }) => {
      const of = (pick: (round: Round) => number | null, decimals: number) =>
        median(
          rounds.map((round) => {
            const found = round.get(name);
            return found === undefined ? null : pick(found);
          }),
          decimals,
        );
      return {
        name,
        reference,
        by,
        goal,
        ratio: of((one) => one.ratio, 2),
        cpu: of((one) => one.cpu, 0),
        baseCpu: of((one) => one.baseCpu, 0),
      };
    });
    return { results, size: runtime.size };
  } finally {
    pools.product.close();
    pools.reference.close();
    await runtime.close();
  }
}

interface Round {
  readonly ratio: number | null;
  readonly cpu: number | null;
  readonly baseCpu: number | null;
}

type Pools = Readonly<Record<Side["to"], Pool>>;

async function compare(pools: Pools, { by, requests, product, base, without }: Comparison, isProductFirst: boolean): Promise<Round> {
  const slice = (side: Side) => measure(pools[side.to], side, requests);
  const first = isProductFirst ? await slice(product) : null;
  const reference = await slice(base);
  const own = first ?? (await slice(product));
  const extra = without === undefined ? null : await slice(without);
  const cpu = own.cpu === null ? null : own.cpu - (extra?.cpu ?? 0);
  const ratio = by === "rate" ? own.rate / reference.rate : cpu === null || reference.cpu === null ? null : cpu / reference.cpu;
  return { ratio, cpu, baseCpu: reference.cpu };
}

async function measure(
  pool: Pool,
  { request, status }: Side,
  requests: number,
): Promise<{ readonly cpu: number | null; readonly rate: number }> {
  const before = runtimeCpuSeconds();
  const seconds = await pool.run(requests, request, status);
  const after = runtimeCpuSeconds();
  return { cpu: before === null || after === null ? null : ((after - before) / requests) * 1_000_000, rate: requests / seconds };
}
