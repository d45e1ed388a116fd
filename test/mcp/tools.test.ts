import { env } from "cloudflare:workers";
import { Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import { cureOf } from "../../src/http/cures.ts";
import { toToolText } from "../../src/http/mcp/server.ts";
import { agentTools, COMMON_FIELDS } from "../../src/http/mcp/tools.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { createPromotionCode } from "../../src/http/v1/create-promotion-code.ts";
import { operations } from "../../src/http/v2/index.ts";
import { describeApi } from "../../tools/site/openapi/document.ts";
import { connectAgent, eras } from "../support/agent.ts";
import {
  BANK,
  bankCart,
  CART,
  CODE,
  call,
  callV1,
  cart,
  keyFor,
  keys,
  LIST,
  LIVE_LINKS,
  PAYMENT,
  promotion,
  REGISTER,
  ROTATE,
  send,
} from "../support/api.ts";
import { recordPayment } from "../support/deliveries.ts";
import { quiet } from "../support/payments.ts";
import { callTool, signIn } from "../support/sign-in.ts";
import { control, objects, SANDBOX } from "../support/stack.ts";

/** The bytes that a tool may take in the list, on average. Each conversation lists all. */
const LEAN = 800;

/** The tools that are no calls over HTTP. */
const SUMS = "sum-partner-processor-transactions";
const SEARCH = "search-partner-documentation";
const pathOf = (name: string) => [...operations, createPromotionCode].find((one) => one.name === name)?.path ?? "";
/** The partners' own calls that agents get. */
const READING = partnerCalls.flatMap(({ forAgents }) => forAgents?.tool ?? []);
const eraNames = Object.keys(eras) as (keyof typeof eras)[];
const names = agentTools.map(({ operation }) => operation.name);

/** The keywords of a tool's schema that every host takes. `additionalProperties` is `false` alone. */
const STRICT = new Set(
  "type properties required additionalProperties items anyOf enum format pattern description title minimum maximum minLength maxLength minItems maxItems".split(
    " ",
  ),
);

/** The keywords of a schema and of those inside it; a list of types counts as one. */
function keywordsOf(schema: any): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema)) return schema.flatMap(keywordsOf);
  return Object.entries(schema).flatMap(([keyword, value]: [string, any]) => {
    if (keyword === "properties") return ["properties", ...Object.values(value).flatMap(keywordsOf)];
    if (["items", "anyOf"].includes(keyword)) return [keyword, ...keywordsOf(value)];
    return [keyword === "type" && Array.isArray(value) ? "a list of types" : keyword];
  });
}

describe.each(eraNames)("an agent of %s", (era) => {
  // interface G.8
  it("finds the operations of the second generation, promotion codes, sums, and the reading calls", async () => {
    const client = await connectAgent(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(names).toEqual([...[...operations, createPromotionCode].map(({ name }) => name), SUMS, SEARCH, ...READING]);
    const description: any = describeApi();
    for (const tool of tools) {
      const operation = agentTools.find((one) => one.operation.name === tool.name)?.operation;
      const isReading = tool.annotations?.readOnlyHint === true;
      // When to use it; of a change what it does and what it costs. Other tools that it names are there.
      const isSaid = isReading ? String(operation?.hint) : `${operation?.description} ${operation?.hint}`;
      expect(tool).toMatchObject({ title: operation?.title, description: isSaid });
      const says = isReading ? /^Use it / : /Use it .*(charges no customer|costs nothing|changes nothing|only where)/;
      expect(tool.description).toMatch(says);
      for (const [named] of (operation?.hint ?? "").matchAll(/[a-z]+(?:-[a-z]+){2,}/g)) expect(names).toContain(named);
      expect(tool.inputSchema).toMatchObject({ type: "object", properties: expect.any(Object) });
      // One object with what either outcome has: of a choice between two, some hosts read nothing.
      const eitherOutcome = { type: "object", properties: { success: expect.any(Object), error_code: expect.any(Object) } };
      if (isReading) expect(tool).not.toHaveProperty("outputSchema");
      else expect(tool.outputSchema).toMatchObject(eitherOutcome);
      expect(tool.outputSchema ?? {}).not.toHaveProperty("oneOf");
      expect(Object.keys(tool.inputSchema.properties ?? {})).not.toContain("api_key");
      expect(tool.inputSchema.additionalProperties).toBe(false);
      if ([SUMS, SEARCH].includes(tool.name) || READING.includes(tool.name)) continue; // They are no operations over HTTP.
      // The same fields as over HTTP, but for the key and for what no agent may say.
      const { requestBody } = description.paths[pathOf(tool.name)].post;
      const { $ref } = requestBody.content["application/json"].schema;
      const { properties } = description.components.schemas[$ref.split("/").at(-1)];
      const others = new Set(["api_key", ...(tool.name === CODE ? ["source"] : []), ...(tool.name === BANK ? ["description"] : [])]);
      const fields = Object.keys(tool.inputSchema.properties ?? {});
      expect(fields.filter((field) => field !== "dry_run")).toEqual(Object.keys(properties).filter((field) => !others.has(field)));
      // Each change can be tried without one.
      expect(fields.includes("dry_run")).toBe(!isReading);
    }
    await client.close();
  });

  it("gets a list of tools that leaves room for a conversation", async () => {
    const client = await connectAgent(era);
    const { tools } = await client.listTools();
    const sizes = tools.map((tool) => [JSON.stringify(tool).length, tool.name] as const).toSorted(([one], [other]) => other - one);
    const longest = sizes.slice(0, 5).map(([size, name]) => `${name} ${size}`);
    const advice = `shorten a hint, or leave fields out by forAgents.without: the longest are ${longest.join(", ")}`;
    expect(
      sizes.reduce((sum, [size]) => sum + size, 0),
      advice,
    ).toBeLessThanOrEqual(tools.length * LEAN);
    // What the schemas leave out is said once, and the answer to a wrong value says the right ones.
    const said = client.getInstructions() ?? "";
    for (const field of COMMON_FIELDS) expect(said).toContain(field);
    const wrong = await client.callTool({ name: "list-partner-deliveries", arguments: { event: "no.such" } });
    expect(JSON.stringify(wrong.structuredContent)).toContain("Processor.payment.succeeded");
    await client.close();
  });

  it("gets schemas that the strictest hosts take, and names that are short enough behind the guide's name of this server", async () => {
    const client = await connectAgent(era);
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      // Hosts write mcp__<server>__<tool>, and take 64 characters.
      expect([name, `mcp__payments__${name}`.length <= 64]).toEqual([name, true]);
      expect([name, keywordsOf(inputSchema).filter((keyword) => !STRICT.has(keyword))]).toEqual([name, []]);
    }
    await client.close();
  });

  it("does not get the fields that its calls leave out for agents, and is refused if it sends one", async () => {
    const client = await connectAgent(era);
    const { tools } = await client.listTools();
    const leftOut = partnerCalls.flatMap(({ forAgents }) =>
      (forAgents?.without ?? []).map((field) => [forAgents?.tool ?? "", field] as const),
    );
    expect(leftOut.length).toBeGreaterThan(4);
    for (const [name, field] of leftOut)
      expect([name, field, Object.keys(tools.find((tool) => tool.name === name)?.inputSchema.properties ?? {}).includes(field)]).toEqual([
        name,
        field,
        false,
      ]);
    const [[name, field] = ["", ""]] = leftOut;
    const { isError, content } = await client.callTool({ name, arguments: { [field]: "created_at" } });
    expect([isError, JSON.stringify(content)]).toEqual([true, expect.stringContaining(`${field}: is not a field here`)]);
    await client.close();
  });

  it("gets the annotations of what each tool may do", async () => {
    const client = await connectAgent(era);
    const { tools } = await client.listTools();
    const annotated = Object.fromEntries(
      tools.map(({ name, annotations = {} }) => [
        name,
        Object.entries(annotations).flatMap(([hint, holds]) => (holds === true ? [hint.replace("Hint", "")] : [])),
      ]),
    );
    // One of each kind, and no other than these kinds.
    expect(annotated).toMatchObject({ [LIST]: ["readOnly"], [CART]: ["openWorld"], [ROTATE]: ["destructive", "idempotent"] });
    const effects = [...operations, createPromotionCode].map(({ name, effect }) => [
      name,
      effect.readOnly ? ["readOnly"] : (["destructive", "idempotent", "openWorld"] as const).filter((hint) => effect[hint]),
    ]);
    const reading = [SUMS, SEARCH, ...READING].map((name) => [name, ["readOnly"]]);
    expect(annotated).toEqual(Object.fromEntries([...effects, ...reading]));
    for (const { annotations = {} } of tools) expect(Object.keys(annotations)).toHaveLength(annotations.readOnlyHint === true ? 2 : 4);
    await client.close();
  });

  it("makes a cart link, and gets the same one again, also over HTTP", async () => {
    const client = await connectAgent(era);
    const body = cart();
    const made = await client.callTool({ name: CART, arguments: body });
    expect(made).toMatchObject({ isError: false, structuredContent: { success: true, duplicate: false, line_item_count: 2 } });
    const again = await client.callTool({ name: CART, arguments: body });
    const overHttp = await call(CART, body);
    expect(overHttp.body).toMatchObject({ success: true, duplicate: true });
    expect(again.structuredContent).toEqual(overHttp.body);
    expect((await objects("payment_links")).filter(({ id }) => id === overHttp.body.payment_link_id)).toHaveLength(1);
    const conflict = await client.callTool({ name: CART, arguments: { ...body, allow_promotion_codes: true } });
    expect(conflict).toMatchObject({
      isError: true,
      structuredContent: { success: false, error_code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD" },
    });
    await client.close();
  });

  it("makes a promotion code, which is known to come from an agent, whatever it says", async () => {
    const client = await connectAgent(era);
    const body = promotion();
    const made = await client.callTool({ name: CODE, arguments: { ...body, source: "api" } });
    expect(made).toMatchObject({ isError: false, structuredContent: { success: true, is_replay: false } });
    // By which way it was asked is no part of what was asked.
    const overHttp = await callV1(CODE, body);
    expect(overHttp.body).toMatchObject({ success: true, is_replay: true });
    expect((await client.callTool({ name: CODE, arguments: body })).structuredContent).toEqual(overHttp.body);
    const stored = "SELECT source FROM promotion_codes WHERE id = ?";
    expect(await env.CELL_1.prepare(stored).bind(overHttp.body.stripe_promotion_code_id).first("source")).toBe("mcp");
    await client.close();
  });

  // interface G.8
  it("gets an unknown tool refused by the protocol", async () => {
    const client = await connectAgent(era);
    await expect(client.callTool({ name: "payment-link-create", arguments: {} })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });
});

it("tells an agent of a payment with its refund, and of live links, what it tells over HTTP", async () => {
  const made = await call(CART, cart());
  const { payment_intent } = await control<{ payment_intent: string }>("/pay", { payment_link_id: made.body.payment_link_id });
  await control("/refund", { payment_intent, amount: 500 });
  await expect.poll(async () => (await call(PAYMENT, { payment_intent_id: payment_intent })).body.count).toBe(2);
  await quiet();
  const client = await connectAgent("2025-11-25");
  for (const [name, body] of [
    [PAYMENT, { payment_intent_id: payment_intent }],
    [LIST, { environment: "test", limit: 100 }],
    [LIVE_LINKS, {}],
  ] as const) {
    const overHttp = await call(name, body);
    const { structuredContent, content } = await client.callTool({ name, arguments: body });
    expect(structuredContent).toEqual(overHttp.body);
    expect(content).toEqual([{ type: "text", text: overHttp.text }]);
    expect(overHttp.body.count).toBeGreaterThan(0);
  }
  await client.close();
});

/** A request of each operation that is carried out. */
const successes: Record<string, object> = {
  [CART]: cart(),
  [BANK]: bankCart(),
  [CODE]: { ...promotion(), source: "mcp" },
  [REGISTER]: { test_url: "https://shop.example/hook" },
  [ROTATE]: { environment: "test", client_token: crypto.randomUUID() },
  [LIST]: { environment: "test" },
};

// interface G.8
describe.each([...operations, createPromotionCode])("$name", (operation) => {
  const { name, path, input, example, effect } = operation;
  const success = successes[name] ?? (example.request as object);
  const withoutSource = (body: object) => Object.fromEntries(Object.entries(body).filter(([field]) => field !== "source"));

  /** The same over both surfaces; the tool last. */
  async function overBoth(body: object, key: string | null) {
    const headers = { "Content-Type": "application/json", ...(key === null ? {} : { "X-Partner-Api-Key": key }) };
    const http = await send(path, { method: "POST", headers, body: JSON.stringify(body) });
    // The official client reads no result from a 401, which makes a host sign in.
    if (key === null) return { http: http.body, tool: (await callTool(name, withoutSource(body), {})).body.result };
    const client = await connectAgent("2026-07-28", key);
    const tool = await client.callTool({ name, arguments: withoutSource(body) });
    await client.close();
    return { http: http.body, tool };
  }

  it.each([
    ["a request", success, keys.acme],
    ["a request of a key with the one permission", success, keyFor(operation.permission)],
    ["another partner's request", success, keys.globex],
    ["no key", success, null],
    ["a key that is no UUID", success, "nonsense"],
    ["an unknown key", success, "d0000000-0000-4000-8000-000000000001"],
    ["a revoked key", success, keys.revoked],
    ["a former employee's key", success, keys.formerEmployee],
    ["a disabled partner's key", success, keys.disabledPartner],
    ["a key without the permission", success, keys.powerless],
    ["an empty body", {}, keys.acme],
    ["a body that nests too deep", { ...success, deep: JSON.parse(`${"[".repeat(20)}${"]".repeat(20)}`) }, keys.acme],
    ["a body over its limit", { ...success, long: "x".repeat(64 * 1024) }, keys.acme],
    ["half a surrogate pair", { ...success, text: "\ud800" }, keys.acme],
  ] as const)("answers %s as over HTTP", async (_what, body, key) => {
    // What creates answers a first request as such: so it has been asked once before.
    if (key !== null) await overBoth(body, key);
    const { http, tool } = await overBoth(body, key);
    expect(tool.structuredContent).toEqual(http);
    expect(tool.isError).toBe(http.success !== true);
    // A failure has its cure beside it.
    const { cure = "", repeat = "" } = cureOf(String(http.error_code), null) ?? {};
    const said = `Cure: ${cure} Repeat: ${effect.readOnly ? "As often as you like: the operation is read-only." : repeat}`;
    const second = http.success === true ? [] : [{ type: "text", text: said }];
    expect(tool.content).toEqual([{ type: "text", text: toToolText(http) }, ...second]);
  });

  it("answers each field of a wrong type as over HTTP, in our words", async () => {
    const fields = Object.keys((input as unknown as { shape: object }).shape).filter((field) => field !== "source");
    for (const field of fields) {
      const { http, tool } = await overBoth({ ...success, [field]: { wrong: true } }, keys.acme);
      expect(http).toMatchObject({ success: false, error_code: expect.stringMatching(/^INVALID_INPUT$/i) });
      expect(tool.structuredContent).toEqual(http);
      expect(tool.isError).toBe(true);
    }
  });

  it("shows schemas that take what it takes and what it answers", async () => {
    const client = await connectAgent("2026-07-28");
    const tool = (await client.listTools()).tools.find((candidate) => candidate.name === name);
    const takes = new Validator(tool?.inputSchema as object, "2020-12");
    expect(takes.validate(withoutSource(success)).valid).toBe(true);
    // A reading tool has no schema of its answers.
    if (tool?.outputSchema === undefined) return client.close();
    const answers = new Validator(tool.outputSchema as object, "2020-12");
    expect(answers.validate({ success: true, ...example.response }).valid).toBe(true);
    const { structuredContent } = await client.callTool({ name, arguments: { nonsense: true } });
    expect(answers.validate(structuredContent).valid).toBe(true);
    expect(answers.validate({}).valid).toBe(false);
    expect(answers.validate({ success: false, error_code: 7 }).valid).toBe(false);
    return client.close();
  });
});

describe("the text of a result", () => {
  it("is the body while that is short, and the first entries of its lists where it is not", () => {
    expect(toToolText({ success: true, count: 1 })).toBe('{"success":true,"count":1}');
    const rows = Array.from({ length: 100 }, (_, index) => ({ id: `processor:txn_${index}` }));
    expect(JSON.parse(toToolText({ success: true, rows }))).toEqual({
      success: true,
      rows: [...rows.slice(0, 3), "and 97 more"],
      note: expect.stringContaining("structured content"),
    });
  });

  it("is never longer than the body, also where nothing can be cut", () => {
    const body = { success: true, long: "x".repeat(3_000), few: [1, 2, 3] };
    expect(toToolText(body)).toBe(JSON.stringify(body));
  });
});

describe("the reading calls of agents", () => {
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const ask = async (name: string, given: object, token: string) =>
    (await callTool(name, given, bearer(token))).body.result.structuredContent;

  it("answer what the same calls answer over HTTP", async () => {
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/agents` });
    const made = await call(CART, cart());
    const own = { "X-Partner-Api-Key": keys.acme };
    for (const [name, given, path] of [
      ["list-partner-webhooks", {}, "webhooks"],
      ["list-partner-deliveries", { environment: "test", limit: 2 }, "deliveries?environment=test&limit=2"],
      ["list-partner-requests", { environment: "test", outcome: "created", limit: 1 }, "requests?environment=test&outcome=created&limit=1"],
      ["list-partner-payment-links", { environment: "test", limit: 1 }, "links?environment=test&limit=1"],
      ["get-partner-payment-link", { link: made.body.payment_link_id }, `links/${made.body.payment_link_id}`],
    ] as const) {
      const { body } = await send(`/partner/${path}`, { headers: own });
      const { body: answer } = await callTool(name, given, own);
      expect(answer.result.structuredContent).toEqual({ success: true, ...body });
    }
  });

  it("stay within the permissions and the environment of a grant", async () => {
    await call(REGISTER, { test_url: `${SANDBOX}/inbox/agents`, live_url: "https://hooks.partner-shop.com/live" });
    const { access } = await signIn({ permissions: ["webhook_config"], environment: "test" });
    const denied = { success: false, error_code: "PERMISSION_DENIED" };
    expect(await ask("list-partner-deliveries", {}, access)).toMatchObject(denied);
    expect(await ask("list-partner-deliveries", { environment: "live" }, access)).toMatchObject(denied);
    expect(await ask("list-partner-deliveries", { environment: "test" }, access)).toMatchObject({ success: true });
    expect(await ask("list-partner-payment-links", { environment: "test" }, access)).toMatchObject(denied);
    const webhooks = await ask("list-partner-webhooks", {}, access);
    expect(webhooks.data.map(({ environment }: { environment: string }) => environment)).toEqual(["test"]);
    expect(await ask("get-partner-webhook-health", { webhook: "live", days: 1 }, access)).toMatchObject(denied);
    expect(await ask("get-partner-webhook-health", { webhook: "test", days: 1 }, access)).toMatchObject({ success: true, webhook: "test" });
    const live = await recordPayment({ environment: "live" });
    expect(await ask("get-partner-delivery", { event: live }, access)).toMatchObject(denied);
    const own = await recordPayment();
    expect(await ask("get-partner-delivery", { event: own }, access)).toMatchObject({ success: true, event: own });
  });

  it("refuse a filter that an agent of one environment cannot have, instead of another one", async () => {
    const { access } = await signIn({ permissions: ["balance_view", "products_view"], environment: "test" });
    const denied = { success: false, error_code: "PERMISSION_DENIED" };
    expect(await ask("list-partner-requests", { environment: "test", outcome: "refused" }, access)).toMatchObject(denied);
    expect(await ask("list-partner-requests", { environment: "test", code: "PRODUCT_NOT_FOUND" }, access)).toMatchObject({
      error_code: "INVALID_INPUT",
      error_message: expect.stringMatching(/^code: /),
    });
    expect(await ask("list-partner-requests", { environment: "test", outcome: "created" }, access)).toMatchObject({ success: true });
  });

  it.each([["x"], [5], [[]], [JSON.parse(`${'{"a":'.repeat(9_000)}1${"}".repeat(9_000)}`)]])(
    "refuse arguments that are no object, or nest too deep, as over HTTP: %.20j",
    async (given) => {
      for (const name of ["list-partner-orders", "search-partner-documentation", LIST])
        expect([name, (await callTool(name, given as object, { "X-Partner-Api-Key": keys.acme })).body.result.structuredContent]).toEqual([
          name,
          expect.objectContaining({ success: false, error_code: "INVALID_INPUT" }),
        ]);
    },
  );

  it("refuse what does not exist, and a field that they do not have", async () => {
    const key = { "X-Partner-Api-Key": keys.acme };
    const asked = async (name: string, given: object) => (await callTool(name, given, key)).body.result;
    expect(await asked("get-partner-delivery", { event: "evt_none" })).toMatchObject({
      isError: true,
      structuredContent: { error_code: "NOT_FOUND" },
    });
    const foreign = await recordPayment({ partnerId: "globex" });
    expect((await asked("get-partner-delivery", { event: foreign })).structuredContent.error_code).toBe("NOT_FOUND");
    expect((await asked("list-partner-deliveries", { status: "x" })).structuredContent).toMatchObject({
      error_code: "INVALID_INPUT",
      details: { field: "status" },
    });
  });
});

it("the list of all tools is short enough for a conversation: at most 48 KB", async () => {
  const agent = await connectAgent("2026-07-28");
  const { tools } = await agent.listTools();
  expect(JSON.stringify(tools).length).toBeLessThan(48_000);
});
