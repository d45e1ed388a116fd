import { randomUUID } from "node:crypto";
import * as z from "zod";
import { readArguments } from "./arguments.ts";
import { faultOfDashboard } from "./remote/dashboard.ts";
import { ask, callOperators, type Edge, edgeOf, pinned, RemoteFault } from "./remote/edge.ts";

const HELP = `Sells once in an edge's test environment, from end to end: a partner "smoke-test" with a test product gets a key, makes a
payment link, and its short link is followed to the checkout. Then the link is disabled and the key revoked. It is
harmless on a live deployment: nothing of the live environment is touched, and no customer pays.

OPS_TOKEN is the operators' token. Exit codes: 0 every step held; 1 one did not; 2 wrong arguments.`;

const COMMAND_LINE = {
  name: "smoke",
  help: HELP,
  options: {
    url: { type: "string", requiresArg: true, describe: "The edge; the local stack unless said" },
    worker: { type: "string", default: "partner-payments", describe: "The Worker's name, for --worker-version" },
    "worker-version": {
      type: "string",
      requiresArg: true,
      describe: "The id of the version that is to answer, where several share the requests",
    },
  },
} as const;

const PARTNER = "smoke-test";
const PRODUCT = "Smoke test";
const LABEL = "smoke test";
const PRICE = 100;

const anything = z.unknown();
const healthSchema = z.object({ dashboard_origin: z.string().nullable().default(null) });
const listOf = <Row extends z.ZodType>(row: Row) => z.object({ data: z.array(row) });
const productSchema = z.object({ id: z.string(), name: z.string(), moderation: z.string(), processor_product_id: z.string().nullish() });
const keySchema = z.object({ key_id: z.string(), label: z.string(), revoked_at: z.string().nullish() });
const keysSchema = z.object({ data: z.array(keySchema), next: z.string().nullable() });
const issuedSchema = z.object({ key_id: z.string(), key: z.string() });
const linkSchema = z.object({ success: z.literal(true), payment_link_id: z.string(), short_url: z.url(), duplicate: z.boolean() });
const listSchema = z.object({ success: z.literal(true), count: z.int() });

/** `npm run smoke`: sells once in an edge's test environment, and cleans up. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  try {
    const { url, worker, workerVersion: version } = read.options;
    await smoke({ ...edgeOf(url), version: version === undefined ? null : { worker, id: version } });
    console.log("\nEvery step held.");
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    console.error(`\nThe smoke check stopped: ${thrown.message}`);
    return 1;
  }
}

/** The check itself; `npm run deploy` ends with it. @throws RemoteFault at the failed step */
export async function smoke(edge: Edge): Promise<void> {
  await step("the dashboard is served, where there is one", async () => {
    const { dashboard_origin: dashboard } = must(await callOperators(edge, "GET", "health", healthSchema), "no health came");
    const fault = dashboard === null ? null : await faultOfDashboard(dashboard, pinned(edge));
    if (fault !== null) throw new RemoteFault(fault);
  });
  await step("a partner for the check is there", async () => {
    await callOperators(edge, "POST", "partners", anything, { body: { id: PARTNER, name: "Smoke test" }, allowed: 409 });
  });
  await step("keys of earlier checks are revoked", () => revokeKeys(edge));
  const product = await step("a product is on sale in the test environment", () => productOnSale(edge));
  const key = await step("a key is issued", async () => {
    const permissions = ["product_create", "balance_view"];
    const issued = await callOperators(edge, "POST", `partners/${PARTNER}/keys`, issuedSchema, { body: { label: LABEL, permissions } });
    return must(issued, "no key came").key;
  });
  let linkId: string | null = null;
  try {
    const order = { items: [{ stripe_product_id: product, unit_amount: PRICE, quantity: 1 }], client_token: `smoke-${randomUUID()}` };
    const link = await step("the partner makes a payment link", async () => {
      const made = linkSchema.parse(await callPartners(edge, key, "create-partner-processor-cart-payment-link", order));
      linkId = made.payment_link_id;
      return made;
    });
    await step("the same request again makes no second one", async () => {
      const again = linkSchema.parse(await callPartners(edge, key, "create-partner-processor-cart-payment-link", order));
      if (!again.duplicate || again.payment_link_id !== link.payment_link_id) throw new RemoteFault("a repeat made another link");
    });
    await step("the short link leads to the checkout", async () => {
      const answer = await ask(`${link.short_url}?client_reference_id=smoke`, { headers: pinned(edge) });
      const target = answer.headers.get("Location") ?? "";
      if (answer.status !== 302 || !target.includes("client_reference_id=smoke")) {
        throw new RemoteFault(`${link.short_url} answered ${answer.status} instead of leading to the checkout`);
      }
    });
    await step("the partner lists what was paid", async () => {
      listSchema.parse(await callPartners(edge, key, "list-partner-processor-transactions", { environment: "test", limit: 1 }));
    });
  } finally {
    // The key first: it must not remain, even if the link fails.
    await step("the key is revoked", () => revokeKeys(edge));
    if (linkId !== null) {
      const disable = `payment-links/${String(linkId)}/disable`;
      await step("the link is disabled", () => callOperators(edge, "POST", disable, anything, { body: {} }));
    }
  }
}

async function productOnSale(edge: Edge): Promise<string> {
  const path = `partners/${PARTNER}/products`;
  const found = await callOperators(edge, "GET", path, listOf(productSchema));
  const known = found?.data.find(({ name }) => name === PRODUCT);
  const fields = { kind: "card", environment: "test", name: PRODUCT, type: "one_time", currency: "USD", unit_amount: PRICE };
  const made = known ?? must(await callOperators(edge, "POST", path, productSchema, { body: fields }), "no product came");
  if (made.moderation !== "approved") {
    await callOperators(edge, "POST", `products/card/${made.id}/approve`, anything, { body: { first_link: false } });
  }
  return made.processor_product_id ?? `prod_${made.id.replace(/^card_/, "")}`;
}

async function revokeKeys(edge: Edge): Promise<void> {
  // All of them: each check leaves a revoked one behind.
  for (let cursor = ""; ; ) {
    const page = await callOperators(edge, "GET", `partners/${PARTNER}/keys?limit=100${cursor}`, keysSchema);
    for (const { key_id, label, revoked_at } of page?.data ?? []) {
      if (label === LABEL && revoked_at == null) await callOperators(edge, "POST", `keys/${key_id}/revoke`, anything, { body: {} });
    }
    if (page?.next == null) return;
    cursor = `&cursor=${encodeURIComponent(page.next)}`;
  }
}

async function callPartners(edge: Edge, key: string, operation: string, body: object): Promise<unknown> {
  const headers = { ...pinned(edge), "X-Partner-Api-Key": key, "Content-Type": "application/json" };
  const response = await ask(`${edge.url}/${operation}`, { method: "POST", headers, body: JSON.stringify(body) });
  const answer: unknown = await response.json().catch(() => null);
  const failure = z.object({ success: z.literal(false), error_code: z.string(), error_message: z.string() }).safeParse(answer);
  if (failure.success) throw new RemoteFault(`${operation} answered ${failure.data.error_code}: ${failure.data.error_message}`);
  return answer;
}

async function step<Result>(what: string, take: () => Promise<Result>): Promise<Result> {
  try {
    const result = await take();
    console.log(`ok       ${what}`);
    return result;
  } catch (thrown) {
    console.log(`FAILED   ${what}`);
    throw thrown instanceof z.ZodError ? new RemoteFault(`the answer is not as described: ${z.prettifyError(thrown)}`) : thrown;
  }
}

function must<Value>(value: Value | null, otherwise: string): Value {
  if (value === null) throw new RemoteFault(otherwise);
  return value;
}
