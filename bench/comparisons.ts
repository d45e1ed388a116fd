import { createHash } from "node:crypto";
import { requestText } from "./sockets.ts";
import { KEY } from "./worker.ts";

/** One side of a comparison: the requests of a slice. */
export interface Side {
  readonly to: "product" | "reference";
  readonly status: number;
  readonly request: (index: number) => string;
}

/** A comparison of the product with the platform. */
export interface Comparison {
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

const keyHash = createHash("sha256").update(KEY).digest("hex");
const json = { "Content-Type": "application/json", "X-Partner-Api-Key": KEY };

const cart = (token: string, lines: number) =>
  JSON.stringify({
    items: Array.from({ length: lines }, (_, line) => ({ stripe_product_id: productId(line), unit_amount: 1000, quantity: 1 })),
    client_token: token,
  });
const productId = (line: number) => `prod_acmeBulk${String(line + 1).padStart(2, "0")}`;

/** All comparisons. KV has the slugs; each round follows some of them. */
export function comparisons(slugs: readonly string[]): Comparison[] {
  const slug = slugs[0] ?? "";
  const bare = base(302, always(requestText("GET", "/bare")));
  const hot = (query: string) => product(302, always(requestText("GET", `/${slug}${query}`)));
  const list = (limit: number): Comparison => ({
    name: `list of ${limit}`,
    reference: "the same statements, raw",
    by: "cpu",
    goal: 1.1,
    requests: 300,
    product: product(200, always(requestText("POST", "/list-partner-processor-transactions", json, JSON.stringify({ limit })))),
    base: base(200, always(requestText("GET", `/list/${limit}?key=${keyHash}`))),
  });
  let made = 0;
  const fresh =
    (lines: number): Side["request"] =>
    () => {
      made += 1;
      return requestText("POST", "/create-partner-processor-cart-payment-link", json, cart(`bench-${made}-${Math.random()}`, lines));
    };
  const freshBase =
    (lines: number): Side["request"] =>
    () => {
      made += 1;
      const products = encodeURIComponent(JSON.stringify(Array.from({ length: lines }, (_, line) => productId(line))));
      return requestText("POST", `/create/ref${made}${Math.random()}?key=${keyHash}&products=${products}`, json, cart("", lines));
    };
  const create = (lines: number): Comparison => ({
    name: `cart link of ${lines}, new, without upstream`,
    reference: "the same SQL in a bare Durable Object",
    by: "cpu",
    goal: 1.25,
    requests: 60,
    product: product(200, fresh(lines)),
    base: base(200, freshBase(lines)),
    without: base(200, always(requestText("POST", "/upstream/one", json, upstreamBody(lines)))),
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
      requests: 125,
      product: product(302, (index) => requestText("GET", `/${slugs[index % slugs.length]}`)),
      base: base(302, (index) => requestText("GET", `/kv/${slugs[index % slugs.length]}`)),
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
      product: product(200, always(requestText("POST", "/create-partner-processor-cart-payment-link", json, cart("bench-repeated", 20)))),
      base: base(200, always(requestText("GET", `/repeat/one?key=${keyHash}`))),
    },
  ];
}

const product = (status: number, request: Side["request"]): Side => ({ to: "product", status, request });
const base = (status: number, request: Side["request"]): Side => ({ to: "reference", status, request });
const always = (request: string) => () => request;

function upstreamBody(lines: number): string {
  const fields = Array.from({ length: lines }, (_, line) => [
    [`line_items[${line}][price_data][product]`, productId(line)],
    [`line_items[${line}][price_data][currency]`, "usd"],
    [`line_items[${line}][price_data][unit_amount]`, "1000"],
    [`line_items[${line}][quantity]`, "1"],
  ]);
  return new URLSearchParams(fields.flat().map(([name = "", value = ""]) => [name, value])).toString();
}
