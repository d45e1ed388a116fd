import { env, exports } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type ClientOptions, createClient, isFailureOf, PaymentsError } from "../../packages/sdk/src/index.ts";
import { keys } from "../support/api.ts";
import { isFull } from "../support/scale.ts";
import { control, EDGE, objects } from "../support/stack.ts";

/** The client that partners install, against this service: what it repeats, and what it must not. */

type Ask = NonNullable<ClientOptions["fetch"]>;
const service: Ask = (url, init) => exports.default.fetch(new Request(url, init));

/** What becomes of a request on its way. */
const fates = {
  arrives: service,
  "is lost": () => Promise.reject(new TypeError("fetch failed")),
  "has its answer lost": async (url, init) => {
    await (await service(url, init)).text();
    throw new TypeError("fetch failed");
  },
  "is refused for the number of calls": () =>
    Promise.resolve(Response.json({ success: false, error_code: "RATE_LIMITED" }, { status: 429, headers: { "Retry-After": "7" } })),
  "meets a proxy without a service": () => Promise.resolve(new Response("<h1>Bad gateway</h1>", { status: 502 })),
  "is said to be under way": async (url, init) => {
    await (await service(url, init)).text();
    return Response.json({ success: false, error_code: "OPERATION_IN_PROGRESS", error_message: "Under way." });
  },
} as const satisfies Record<string, Ask>;
type Fate = keyof typeof fates;

/** The fields of a sent body. */
const fieldsOf = (request: RequestInit | undefined) => z.record(z.string(), z.unknown()).parse(JSON.parse(z.string().parse(request?.body)));

/** A client whose requests have these fates in turn; later ones arrive. It notes what it sends, and how long it waits. */
function clientWith(...coming: readonly Fate[]) {
  const waiting = [...coming];
  const sent: RequestInit[] = [];
  const waits: number[] = [];
  const payments = createClient({
    url: EDGE,
    key: keys.acme,
    fetch(url, init) {
      sent.push(init);
      return fates[waiting.shift() ?? "arrives"](url, init);
    },
    sleep(milliseconds) {
      waits.push(milliseconds);
      return Promise.resolve();
    },
  });
  return { payments, sent, waits };
}

const CART = { items: [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 }] };

const failureOf = async (work: Promise<unknown>): Promise<PaymentsError> => {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PaymentsError)) throw new Error(`it did not fail as a call does: ${String(error)}`);
  return error;
};

describe("a creation", () => {
  it.each(Object.keys(fates) as Fate[])("that %s makes one link", async (fate) => {
    const before = (await objects("payment_links")).length;
    const { payments } = clientWith(fate);
    const link = await payments.links.createForCart(CART);
    expect(link.short_url).toMatch(/^http/);
    expect((await objects("payment_links")).length).toBe(before + 1);
  });

  it("keeps one token of its own over its repeats, and the one that it was given", async () => {
    const { payments, sent } = clientWith("is lost", "has its answer lost");
    await payments.links.createForCart(CART);
    const tokens = sent.map((request) => fieldsOf(request).client_token);
    expect([tokens.length, new Set(tokens).size]).toEqual([3, 1]);
    await payments.links.createForCart({ ...CART, client_token: "order-7" });
    expect(fieldsOf(sent.at(-1))).toMatchObject({ client_token: "order-7" });
  });

  it.each([42, "", false, {}])("is not sent with %o for a token: another order could have the same", async (client_token) => {
    const { payments, sent } = clientWith();
    const failure = await failureOf(payments.links.createForCart({ ...CART, client_token } as never));
    expect([failure.code, failure.message, sent]).toEqual(["WRONG_USE", "client_token must be a text.", []]);
  });

  it("is repeated three times, and then says with which token it can be repeated", async () => {
    const { payments, sent, waits } = clientWith("is lost", "is lost", "is lost", "is lost");
    const failure = await failureOf(payments.links.createForCart({ ...CART, client_token: "order-8" }));
    expect(failure).toMatchObject({ code: "NO_ANSWER", repeat: "now", token: "order-8", status: null });
    expect(sent).toHaveLength(4);
    expect(waits.map((wait) => Math.floor(Math.log2(wait / 500)))).toEqual([0, 1, 2]);
  });

  it("waits as long as the service says", async () => {
    const { payments, waits } = clientWith("is refused for the number of calls");
    await payments.links.createForCart(CART);
    expect(waits).toEqual([7_000]);
  });

  it("that is refused is not repeated, and says which field is wrong", async () => {
    const { payments, sent } = clientWith();
    const failure = await failureOf(payments.links.createForCart({ items: [] }));
    expect(failure).toMatchObject({ code: "INVALID_INPUT", repeat: "corrected", field: "items", status: 200 });
    expect(failure.requestId).toMatch(/^[0-9a-f]{16}$/);
    expect(sent).toHaveLength(1);
    // The codes of the operation are its type.
    if (isFailureOf("links.createForCart", failure)) expect(failure.code === "INVALID_INPUT").toBe(true);
  });

  it("at the processor's fault needs a new token", async () => {
    await control("/faults", { target: "processor", call: "payment_links.create", times: 9, kind: "http_400" });
    const { payments, sent } = clientWith();
    const failure = await failureOf(payments.links.createForCart(CART));
    await control("/faults", undefined, "DELETE");
    expect([failure.code, failure.repeat, sent.length]).toEqual(["INTEGRATION_UPSTREAM_ERROR", "new_token", 1]);
  });

  it("of the first generation has its key in the body, and its own token", async () => {
    const { payments, sent } = clientWith("has its answer lost");
    const link = await payments.links.createForProduct({ stripe_product_id: "prod_acmeTestUsd1", price: { unit_amount: 1900 } });
    const bodies = sent.map(fieldsOf);
    expect([link.is_replay, bodies[0]?.api_key, sent.length]).toEqual([true, keys.acme, 2]);
    expect(bodies[0]?.idempotency_key).toBe(bodies[1]?.idempotency_key);
    expect(new Headers(sent[0]?.headers).has("X-Partner-Api-Key")).toBe(false);
  });
});

describe("a change without a token", () => {
  it("is not repeated where its answer was lost: it may have been carried out", async () => {
    const { payments, sent } = clientWith("has its answer lost");
    const failure = await failureOf(payments.keys.create({ label: "web shop", permissions: ["payment_read"] }));
    expect([failure.code, failure.repeat, sent.length]).toEqual(["NO_ANSWER", "unknown", 1]);
  });

  it("is not repeated where what it ended would not be found any more", async () => {
    const { payments, sent } = clientWith("has its answer lost");
    const failure = await failureOf(payments.chat.remove());
    expect([failure.code, failure.repeat, sent.length]).toEqual(["NO_ANSWER", "unknown", 1]);
  });

  it("is repeated where it only reads, although it is sent as a change is", async () => {
    const { payments, sent } = clientWith("is lost", "has its answer lost");
    expect(await payments.transactions.list({ limit: 1 })).toMatchObject({ success: true });
    expect(sent).toHaveLength(3);
  });

  it("is repeated where it was refused for the number of calls: nothing was done", async () => {
    const { payments, sent } = clientWith("is refused for the number of calls");
    await payments.keys.create({ label: "web shop", permissions: ["payment_read"] });
    expect(sent).toHaveLength(2);
  });
});

describe("a list", () => {
  it("is iterated over all its pages, and a page alone has what the list says besides", async () => {
    const { payments, sent } = clientWith();
    const ids: string[] = [];
    for await (const { key_id: id } of payments.keys.list({ limit: 2 })) ids.push(id);
    const page = await payments.keys.list({ limit: 2 }).page();
    expect([page.data.map(({ key_id: id }) => id), ids.length > 4, new Set(ids).size]).toEqual([ids.slice(0, 2), true, ids.length]);
    expect(sent.length).toBe(Math.ceil(ids.length / 2) + 1);
  });

  it("as a file comes as it is", async () => {
    const { payments } = clientWith("meets a proxy without a service");
    expect(await (await payments.exports.orders({ format: "csv", environment: "test" })).text()).toContain("created_at");
  });
});

it.each(["text/html", ""])("a file is none of the service's if it comes as '%s'", async (type) => {
  const page = () => Promise.resolve(new Response("<h1>Sign in</h1>", { headers: type === "" ? {} : { "Content-Type": type } }));
  const payments = createClient({ url: EDGE, key: keys.acme, fetch: page, retries: 0 });
  expect((await failureOf(payments.exports.orders({}))).code).toBe("HTTP_200");
});

it("a form leaves out what is not given", async () => {
  const bodies: unknown[] = [];
  const ask: Ask = (_url, init) => {
    bodies.push(init.body);
    return Promise.resolve(Response.json({ success: true }));
  };
  const payments = createClient({ url: EDGE, key: keys.acme, fetch: ask });
  const given = { subscription_id: "sub_1", cancel_at_period_end: undefined, other: null, kept: "yes" } as never;
  await payments.subscriptions.cancelAtPeriodEnd(given);
  expect(bodies).toEqual(["kept=yes"]);
});

it("the time limit of an attempt ends with the head of a file, which may take longer", async () => {
  let signal: AbortSignal | null | undefined;
  const ask: Ask = (_url, init) => {
    signal = init.signal;
    return Promise.resolve(new Response("id\r\n", { headers: { "Content-Type": "text/csv; charset=utf-8" } }));
  };
  const payments = createClient({ url: EDGE, key: keys.acme, fetch: ask, timeout: 5 });
  const file = await payments.exports.orders({});
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect([signal?.aborted, await file.text()]).toEqual([false, "id\r\n"]);
});

describe("a client", () => {
  it.each([
    ["an address without https", { url: "http://api.example.com", key: keys.acme }],
    ["no address", { url: "api", key: keys.acme }],
    ["a key with a line break", { url: EDGE, key: `${keys.acme}\n` }],
  ])("refuses %s, and does not show the key", (_what, options) => {
    expect(() => createClient(options)).toThrow(PaymentsError);
    expect(() => createClient(options)).not.toThrow(keys.acme);
  });

  it("does not follow a redirect, which would carry the key away", async () => {
    const asked: (string | undefined)[] = [];
    const payments = createClient({
      url: EDGE,
      key: keys.acme,
      retries: 0,
      fetch(_url, { redirect }) {
        asked.push(redirect);
        return Promise.resolve(new Response(null, { status: 302, headers: { Location: "https://elsewhere.example" } }));
      },
    });
    expect(await failureOf(payments.balance())).toMatchObject({ code: "HTTP_302", status: 302 });
    expect(asked).toEqual(["manual"]);
  });

  it.each(["", ".", ".."])("refuses %j in a path, which would be another address", async (key) => {
    const { payments, sent } = clientWith();
    expect(await failureOf(payments.keys.revoke({ key }))).toMatchObject({ code: "WRONG_USE" });
    expect(sent).toEqual([]);
  });

  it("answers what a call says of a failure that is not its own", async () => {
    await control("/inbox/acme", { status: 503, times: 1 });
    const { payments } = clientWith();
    await payments.webhooks.register({ test_url: "http://sandbox.test:8788/inbox/acme" });
    const tested = await payments.webhooks.test({ webhook: "test", event: "Processor.payment.succeeded" });
    expect(tested).toMatchObject({ success: false, attempt: { status: 503 } });
  });

  it("takes a page of something between for no answer of the service", async () => {
    const page = () => Promise.resolve(new Response("<h1>Log in to this network</h1>", { headers: { "Content-Type": "text/html" } }));
    const payments = createClient({ url: EDGE, key: keys.acme, retries: 1, fetch: page, sleep: () => Promise.resolve() });
    expect(await failureOf(payments.balance())).toMatchObject({ code: "HTTP_200", repeat: "now" });
  });

  it("ends at its caller's signal, without a repeat", async () => {
    const { payments, sent } = clientWith("is lost", "is lost");
    const signal = AbortSignal.abort(new Error("the shop closes"));
    await expect(payments.balance({}, { signal })).rejects.toThrow("the shop closes");
    expect(sent).toHaveLength(1);
  });

  it("ends at its caller's signal also while it waits for the next attempt", async () => {
    const giver = new AbortController();
    const isLost: Ask = () => {
      setTimeout(() => giver.abort(new Error("the shop closes")));
      return fates["is lost"]();
    };
    const payments = createClient({ url: EDGE, key: keys.acme, fetch: isLost });
    await expect(payments.balance({}, { signal: giver.signal })).rejects.toThrow("the shop closes");
  });
});

it("never makes two links of one order, whatever becomes of its requests", async () => {
  const before = (await objects("payment_links")).length;
  const made = new Map<string, Set<string>>();
  const fate = fc.constantFrom(...(Object.keys(fates) as Fate[]));
  let order = 0;
  const property = fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 7 }), fc.nat(2), async (coming, further) => {
    order += 1;
    const token = `chance-${order}`;
    const links = new Set<string>();
    const { payments } = clientWith(...coming);
    // The shop asks until it has the link, and once more for each impatient customer.
    for (let wanted = 1 + further; wanted > 0; ) {
      const link = await payments.links.createForCart({ ...CART, client_token: token }).catch((error: unknown) => error);
      if (link instanceof PaymentsError && link.repeat === "now") continue;
      if (link instanceof Error) throw link;
      links.add((link as { payment_link_id: string }).payment_link_id);
      wanted -= 1;
    }
    made.set(token, links);
  });
  await fc.assert(property, { numRuns: isFull ? 1_000 : 40, seed: Number(env.TEST_SEED) });
  expect([...made.values()].filter(({ size }) => size !== 1)).toEqual([]);
  expect((await objects("payment_links")).length - before).toBe(made.size);
});
