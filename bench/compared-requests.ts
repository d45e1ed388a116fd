import { createHash } from "node:crypto";
import { KEY } from "./bench-worker.ts";
import { type Creation, cart, creations } from "./creations.ts";
import { newSuffix, type RecordedEvent } from "./record-requests.ts";
import { requestText } from "./sockets.ts";

/** One side of a comparison: the requests of a slice. */
export interface Side {
  readonly to: "product" | "links" | "reference";
  readonly status: number;
  readonly request: (index: number) => string;
}

/** A comparison of the product with the platform. */
export interface Comparison {
  readonly name: string;
  readonly reference: string;
  readonly by: "cpu" | "rate";
  /** The maximum for `cpu`, the minimum for `rate`. */
  readonly goal: number;
  readonly requests: number;
  readonly product: Side;
  readonly base: Side;
  /** Work of the product without a counterpart in the reference, subtracted from the product's cost. */
  readonly without?: Side;
  /** A request that the product gets once before. */
  readonly first?: string;
  /** For work that continues after the answers: the statement that counts the remaining work in the cell. */
  readonly left?: string;
}

/** The name of the event's recording at the reference. */
export const EVENT = "event";

/** The name of a creation's recording at the reference: a path segment. */
export function recordingOf({ name }: Creation): string {
  return name.replaceAll(/\W+/g, "-");
}

const keyHash = createHash("sha256").update(KEY).digest("hex");

/** All comparisons. KV has the slugs; each round follows some of them. */
export function comparisons(slugs: readonly string[], event: RecordedEvent): Comparison[] {
  const slug = slugs[0] ?? "";
  const bare = base(302, always(requestText("GET", "/bare")));
  const hot = (query: string) => links(302, always(requestText("GET", `/${slug}${query}`)));
  const repeated = asked(cart(20), "bench-repeated");
  const redirect = { reference: "a bare 302", by: "rate", goal: 0.8, requests: 4_000, base: bare } as const;
  return [
    { name: "hot redirect", ...redirect, product: hot("") },
    { name: "hot redirect with a query", ...redirect, product: hot("?client_reference_id=order-1") },
    {
      name: "a slug that KV knows",
      reference: "a bare handler with one KV read",
      by: "cpu",
      goal: 1.15,
      requests: 125,
      product: links(302, (index) => requestText("GET", `/${slugs[index % slugs.length]}`)),
      base: base(302, (index) => requestText("GET", `/kv/${slugs[index % slugs.length]}`)),
    },
    list(20),
    list(100),
    ...creations.map(creation),
    {
      name: "cart link of 20, repeated",
      reference: "a bare object call and one D1 read",
      by: "cpu",
      goal: 1.3,
      requests: 600,
      product: product(200, always(repeated)),
      base: base(200, always(requestText("GET", `/repeat/one?key=${keyHash}`))),
      first: repeated,
    },
    {
      name: "from the processor's event to the ledger",
      reference: "the same SQL, storage and fetches, bare",
      by: "cpu",
      goal: 1.35,
      requests: 60,
      product: product(200, () => event.request(newSuffix())),
      base: base(200, () => {
        const suffix = newSuffix();
        return requestText("POST", `/event/${EVENT}/${suffix}`, {}, bodyOf(event.request(suffix)));
      }),
      left: "SELECT COUNT(*) AS count FROM refreshes WHERE state = 'due'",
    },
  ];
}

function list(limit: number): Comparison {
  const path = "/list-partner-processor-transactions";
  const headers = { "Content-Type": "application/json", "X-Partner-Api-Key": KEY };
  return {
    name: `list of ${limit}`,
    reference: "the same statements, raw",
    by: "cpu",
    goal: 1.1,
    requests: 400,
    product: product(200, always(requestText("POST", path, headers, JSON.stringify({ limit })))),
    base: base(200, always(requestText("GET", `/list/${limit}?key=${keyHash}`))),
  };
}

function creation(one: Creation): Comparison {
  const name = recordingOf(one);
  return {
    name: `${one.name}, new, without upstream`,
    reference: "the same SQL in a bare Durable Object",
    by: "cpu",
    goal: 1.25,
    requests: 60,
    product: product(200, () => asked(one, crypto.randomUUID())),
    base: base(200, () => requestText("POST", `/create/${name}/${newSuffix()}`, {}, one.body(""))),
    without: base(200, () => requestText("POST", `/calls/${name}/${newSuffix()}`, {}, one.body(""))),
  };
}

const asked = ({ path, headers, body }: Creation, token: string) => requestText("POST", path, headers, body(token));
const bodyOf = (request: string) => request.slice(request.indexOf("\r\n\r\n") + 4);
const product = (status: number, request: Side["request"]): Side => ({ to: "product", status, request });
const links = (status: number, request: Side["request"]): Side => ({ to: "links", status, request });
const base = (status: number, request: Side["request"]): Side => ({ to: "reference", status, request });
const always = (request: string) => () => request;
