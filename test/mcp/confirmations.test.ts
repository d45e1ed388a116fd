import { env, exports } from "cloudflare:workers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { auditLog, confirmations, idempotencyRecords, sessions } from "../../src/db/schema/index.ts";
import type { Answer } from "../support/answer.ts";
import { BANK, bankCart, CART, CODE, cart, keyFor, keys, promotion, REGISTER, send } from "../support/api.ts";
import { HOUR } from "../support/later.ts";
import { signedIn } from "../support/people.ts";
import { authorizeAddress, Browser, bearer, callTool, held, register, signIn } from "../support/sign-in.ts";
import { control, EDGE } from "../support/stack.ts";
import { countOf, rowsOf, updateRows } from "../support/tables.ts";

const MANAGER = ["owner", "product_create", "bank_payment", "webhook_config", "products_view"];

interface Agent {
  readonly access: string;
  readonly grant: string;
}

/** An agent that may create in test and live, and whose creations wait by these rules. */
async function agentWith(...rules: readonly object[]): Promise<Agent> {
  const permissions = ["balance_view", "products_view", "product_create", "bank_payment", "webhook_config"];
  const { access, clientId } = await signIn({ permissions, environment: "both" });
  const [row] = await env.DIRECTORY.prepare("SELECT id FROM grants WHERE client_id = ?")
    .bind(clientId)
    .all()
    .then(({ results }) => results);
  const grant = String(row?.id);
  for (const rule of rules) expect((await setRule(grant, rule)).status).toBe(200);
  return { access, grant };
}

/** By an operator, who may set any rule. */
const setRule = (grant: string, rule: object) =>
  send(`/ops/grants/${grant}/confirmations`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", Authorization: "Bearer ops-local" },
    body: JSON.stringify(rule),
  });

const setByKey = (grant: string, rule: object, key: string = keys.acme) =>
  send(`/partner/agents/${grant}/confirmations`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", "X-Partner-Api-Key": key },
    body: JSON.stringify(rule),
  });

const ask = async ({ access }: Agent, tool: string, given: object) => (await callTool(tool, given, bearer(access))).body.result;
const answerOf = async (agent: Agent, tool: string, given: object) => (await ask(agent, tool, given)).structuredContent;
const idIn = ({ confirmation_url = "" }: { confirmation_url?: string }) => confirmation_url.split("/").at(-1) ?? "";

const ALL_TEST = { environment: "test", demand: "all" };
const over = (amount: number, currency = "USD") => ({ environment: "test", demand: "over", amount, currency });

async function decideBy(rights: readonly string[], id: string, verb: "approve" | "refuse", partner = "acme") {
  const person = await signedIn(rights, partner);
  return person.ask("POST", `confirmations/${id}/${verb}`, {});
}

describe("an agent whose creations wait for a person", () => {
  it("gets a link, makes nothing until a person has confirmed it, and then what was confirmed, once", async () => {
    const agent = await agentWith(ALL_TEST);
    const given = cart();
    const records = await countOf(idempotencyRecords);
    const waiting = await answerOf(agent, CART, given);
    expect(waiting).toMatchObject({ success: false, error_code: "CONFIRMATION_REQUIRED" });
    expect(waiting.error_message).toContain(waiting.confirmation_url);
    // Asked again, it is the same request, also with a null for a field that is left out.
    expect(await answerOf(agent, CART, given)).toEqual(waiting);
    expect(await answerOf(agent, CART, { ...given, success_url: null })).toEqual(waiting);
    expect(await countOf(idempotencyRecords)).toBe(records);
    const approved = await decideBy(MANAGER, idIn(waiting), "approve");
    expect(approved.body).toMatchObject({ state: "approved", would_make: { price: { text: "77.00 USD" } } });
    const made = await answerOf(agent, CART, given);
    expect(made).toMatchObject({ success: true, duplicate: false });
    expect(await answerOf(agent, CART, given)).toEqual({ ...made, duplicate: true });
    const [row] = await rowsOf(confirmations, { id: idIn(waiting) });
    expect(row).toMatchObject({ decision: "approved", done_at: expect.any(Number), operation: CART, permission: "product_create" });
    expect(JSON.stringify(row)).not.toContain(given.client_token);
  });

  it("gets a refusal for this token, and can ask with another one", async () => {
    const agent = await agentWith(ALL_TEST);
    const given = cart();
    const waiting = await answerOf(agent, CART, given);
    expect((await decideBy(MANAGER, idIn(waiting), "refuse")).body.state).toBe("refused");
    expect(await answerOf(agent, CART, given)).toMatchObject({ success: false, error_code: "CONFIRMATION_REFUSED" });
    expect(await answerOf(agent, CART, { ...given, client_token: crypto.randomUUID() })).toMatchObject({
      error_code: "CONFIRMATION_REQUIRED",
    });
  });

  it("gets CONFIRMATION_EXPIRED once its time is over: before a decision, and after an approval", async () => {
    const agent = await agentWith(ALL_TEST);
    const [first, second] = [cart(), cart()];
    await answerOf(agent, CART, first);
    await decideBy(MANAGER, idIn(await answerOf(agent, CART, second)), "approve");
    const rows: any[] = await rowsOf(confirmations, { grant_id: agent.grant });
    expect(rows.map(({ requested_at, decided_at, expires_at }) => expires_at - (decided_at ?? requested_at))).toEqual([
      24 * HOUR,
      24 * HOUR,
    ]);
    await updateRows(confirmations, { expires_at: Date.now() - 1 }, { grant_id: agent.grant });
    for (const given of [first, second]) expect(await answerOf(agent, CART, given)).toMatchObject({ error_code: "CONFIRMATION_EXPIRED" });
  });

  it("needs a token, so that it is known what a person has confirmed", async () => {
    const agent = await agentWith(ALL_TEST);
    const { client_token: _, ...given } = cart();
    expect(await answerOf(agent, CART, given)).toMatchObject({
      success: false,
      error_code: "INVALID_INPUT",
      error_message: expect.stringMatching(/^client_token: is needed/),
    });
    expect(await countOf(confirmations, { grant_id: agent.grant })).toBe(0);
  });

  it("asks again if the request, or its price in the catalogue, is another one than a person has seen", async () => {
    const agent = await agentWith(ALL_TEST);
    const given = bankCart({ items: [{ product_id: 1001, quantity: 1 }] });
    const first = await answerOf(agent, BANK, given);
    await decideBy(MANAGER, idIn(first), "approve");
    const [{ unit_amount: price }] = (await env.DIRECTORY.prepare("SELECT unit_amount FROM ruble_products WHERE id = 1001").all())
      .results as [{ unit_amount: number }];
    await env.DIRECTORY.prepare("UPDATE ruble_products SET unit_amount = ? WHERE id = 1001")
      .bind(price + 1)
      .run();
    const second = await answerOf(agent, BANK, given);
    await env.DIRECTORY.prepare("UPDATE ruble_products SET unit_amount = ? WHERE id = 1001").bind(price).run();
    expect(second).toMatchObject({ error_code: "CONFIRMATION_REQUIRED" });
    expect(idIn(second)).not.toBe(idIn(first));
    expect(await answerOf(agent, BANK, given)).toMatchObject({ success: true, amount_kopecks: price });
  });

  it("says nothing of the customer to the person who decides", async () => {
    const agent = await agentWith(ALL_TEST);
    await answerOf(agent, BANK, bankCart({ customer_phone: "+79031234567" }));
    const [row] = await rowsOf(confirmations, { grant_id: agent.grant });
    expect(JSON.stringify(row)).not.toMatch(/buyer@example|9031234567/);
  });

  it("sees in a dry run that it would wait", async () => {
    const agent = await agentWith(ALL_TEST);
    const { would_make } = await answerOf(agent, CART, { ...cart(), dry_run: true });
    expect(would_make.warnings).toMatchObject([{ code: "needs_confirmation" }]);
    expect(await countOf(confirmations, { grant_id: agent.grant })).toBe(0);
  });

  it("opens the page by itself where its host can, and is answered like others once it has", async () => {
    const agent = await agentWith(ALL_TEST);
    const given = cart();
    const meta = { "io.modelcontextprotocol/clientCapabilities": { elicitation: { url: {} } } };
    const asked = (await callTool(CART, given, bearer(agent.access), { _meta: meta })).body.result;
    expect(asked).toMatchObject({ resultType: "input_required", inputRequests: { confirmation: { method: "elicitation/create" } } });
    const { params } = asked.inputRequests.confirmation;
    expect(params).toMatchObject({ mode: "url", url: expect.stringContaining("/dashboard/developers/confirmations/conf_") });
    const answered = { _meta: meta, inputResponses: { confirmation: { action: "accept" } } };
    expect((await callTool(CART, given, bearer(agent.access), answered)).body.result.structuredContent).toMatchObject({
      error_code: "CONFIRMATION_REQUIRED",
    });
    await decideBy(MANAGER, idIn({ confirmation_url: params.url }), "approve");
    expect((await callTool(CART, given, bearer(agent.access), answered)).body.result.structuredContent).toMatchObject({ success: true });
  });
});

it("the protocol's own client opens the page for its person, and repeats the call by itself", async () => {
  const agent = await agentWith(ALL_TEST);
  const client = new Client(
    { name: "host", version: "1" },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  client.setRequestHandler("elicitation/create", async ({ params }) => {
    // The person confirms it before they come back to the host.
    if ("url" in params) await decideBy(MANAGER, idIn({ confirmation_url: params.url }), "approve");
    return { action: "accept" };
  });
  const transport = new StreamableHTTPClientTransport(new URL(`${EDGE}/mcp`), {
    fetch: (url, init) => exports.default.fetch(new Request(url, init)),
    requestInit: { headers: bearer(agent.access) },
  });
  await client.connect(transport);
  const { structuredContent } = await client.callTool({ name: CART, arguments: cart() });
  expect(structuredContent).toMatchObject({ success: true, duplicate: false });
  await client.close();
});

it("an approval ends before the result of an idempotency_key is forgotten, so that it is carried out once", () => {
  expect(limits.confirmations.hours).toBeLessThanOrEqual(limits.replay.hours);
});

describe("which creations wait", () => {
  it("none without a rule, and none of the other environment", async () => {
    const agent = await agentWith({ environment: "live", demand: "all" });
    expect(await answerOf(agent, CART, cart())).toMatchObject({ success: true });
  });

  it.each([
    ["below the amount", over(7701), false],
    ["of the amount", over(7700), false],
    ["above the amount", over(7699), true],
    ["in another currency", over(99_999_999, "EUR"), true],
  ])("with a limit: a link %s", async (_which, rule, waits) => {
    const agent = await agentWith(rule);
    expect(await answerOf(agent, CART, cart())).toMatchObject(waits ? { error_code: "CONFIRMATION_REQUIRED" } : { success: true });
  });

  it("with a limit: what has no price, since nothing says how much it is", async () => {
    const agent = await agentWith(over(99_999_999));
    const { idempotency_key, ...code } = promotion();
    expect(await answerOf(agent, CODE, { ...code, idempotency_key })).toMatchObject({ error_code: "CONFIRMATION_REQUIRED" });
    const webhook = { test_url: "https://shop.example/in" };
    expect(await answerOf(agent, REGISTER, webhook)).toMatchObject({ error_code: "INVALID_INPUT" });
    expect(await answerOf(agent, REGISTER, { ...webhook, client_token: crypto.randomUUID() })).toMatchObject({
      error_code: "CONFIRMATION_REQUIRED",
    });
  });

  it("the rule of one environment leaves the other's, also where both are set at once", async () => {
    const { grant } = await agentWith();
    await Promise.all([setRule(grant, ALL_TEST), setRule(grant, { environment: "live", demand: "all" })]);
    const { body } = await setRule(grant, { environment: "test", demand: "none" });
    expect(body.confirmations).toMatchObject([{ environment: "live", demand: "all" }]);
  });

  it("is loosened by a person with a passkey, and by no key: an agent may hold it", async () => {
    const { grant } = await agentWith();
    expect((await setByKey(grant, ALL_TEST)).status).toBe(200);
    for (const rule of [over(99_999_999), { environment: "test", demand: "none" }])
      expect([rule, (await setByKey(grant, rule)).status]).toEqual([rule, 403]);
    const person = await signedIn(MANAGER);
    expect((await person.ask("PUT", `agents/${grant}/confirmations`, over(1_000))).status).toBe(200);
    await updateRows(sessions, { verified_at: Date.now() - HOUR }, { employee_id: person.id });
    expect((await person.ask("PUT", `agents/${grant}/confirmations`, ALL_TEST)).body.error_code).toBe("PASSKEY_REQUIRED");
  });

  it("that is taken away, or whose agent has ended, leaves nothing that waits for a decision", async () => {
    const agent = await agentWith(ALL_TEST, { environment: "live", demand: "all" });
    const [pending, approved, live] = [
      cart(),
      cart(),
      cart({ items: [{ stripe_product_id: "prod_acmeLiveUsd1", unit_amount: 2_100, quantity: 1 }] }),
    ];
    const ids: string[] = [];
    for (const given of [pending, approved, live]) ids.push(idIn(await answerOf(agent, CART, given)));
    const [first = "", second = "", third = ""] = ids;
    expect((await decideBy(MANAGER, second, "approve")).status).toBe(200);
    const states = async () => {
      const rows = await Promise.all(ids.map((id) => send(`/ops/confirmations/${id}`, { headers: { Authorization: "Bearer ops-local" } })));
      return rows.map(({ body }) => body.state);
    };
    expect(await states()).toEqual(["pending", "approved", "pending"]);
    await setRule(agent.grant, { environment: "test", demand: "none" });
    expect(await states()).toEqual(["expired", "expired", "pending"]);
    // What is of both environments waits as long as one of them has a rule.
    expect(await answerOf(agent, CART, pending)).toMatchObject({ success: true });
    expect((await decideBy(MANAGER, first, "refuse")).status).toBe(409);
    const headers = { "Content-Type": "application/json", Authorization: "Bearer ops-local" };
    expect((await send(`/ops/grants/${agent.grant}/revoke`, { method: "POST", headers, body: "{}" })).status).toBe(200);
    expect(await states()).toEqual(["expired", "expired", "expired"]);
    expect((await decideBy(MANAGER, third, "approve")).status).toBe(409);
  });

  it("is offered again where an agent of the same key signs in, and goes with the access", async () => {
    const key = keyFor("product_create");
    const browser = new Browser();
    const choosing = async () =>
      browser.post("/oauth/authorize", [
        ["handle", held(await browser.get(await authorizeAddress((await register()).body.client_id))).handle],
        ["key", key],
        ["decision", "go_on"],
      ]);
    const isTicked = ({ text }: Answer) => /name="confirm" value="live" checked/.test(text);
    const first = await choosing();
    expect(isTicked(first)).toBe(false);
    // What a person has ticked stays where the page is shown again.
    const choices = [
      ["environment", "live"],
      ["confirm", "live"],
      ["decision", "allow"],
    ] as const;
    const again = await browser.post(`/oauth/grant?state=${held(first).state}`, choices);
    expect([again.status, isTicked(again)]).toEqual([400, true]);
    await browser.post(`/oauth/grant?state=${held(again).state}`, [["permission", "product_create"], ...choices]);
    const newest = (await rowsOf(auditLog, { action: "grant.give" })).at(-1);
    expect(JSON.parse(String(newest?.after))).toMatchObject({ confirmations: { live: { demand: "all" } } });
    expect(isTicked(await choosing())).toBe(true);
  });

  it("never a read", async () => {
    const agent = await agentWith(ALL_TEST, { environment: "live", demand: "all" });
    expect(await answerOf(agent, "list-partner-products", {})).toMatchObject({ success: true });
  });

  it("the rule is set whole, is in the audit log, and is shown", async () => {
    const { grant } = await agentWith(over(50_000));
    for (const rule of [
      { environment: "test", demand: "over", amount: 1 },
      { environment: "test", demand: "over", currency: "USD" },
      { environment: "test", demand: "all", amount: 1 },
      { environment: "test", demand: "none", currency: "USD" },
    ])
      expect([rule, (await setRule(grant, rule)).status]).toEqual([rule, 400]);
    expect((await setRule(grant, ALL_TEST)).body.confirmations).toEqual([
      { environment: "test", demand: "all", amount: null, major_amount: null, currency: null },
    ]);
    expect((await setRule(grant, { environment: "test", demand: "none" })).body.confirmations).toEqual([]);
    expect((await setByKey(grant, ALL_TEST, keys.globex)).status).toBe(404);
    const entries = await rowsOf(auditLog, { action: "grant.set_confirmations", target: grant });
    expect(entries.map(({ before, after }: any) => [JSON.parse(before).rule, JSON.parse(after).rule])).toEqual([
      [null, { demand: "over", amount: 50_000, currency: "USD" }],
      [{ demand: "over", amount: 50_000, currency: "USD" }, { demand: "all" }],
      [{ demand: "all" }, null],
    ]);
  });
});

describe("the person who decides", () => {
  it("needs the permission of the operation and a passkey; a key, another partner, and a second decision change nothing", async () => {
    const agent = await agentWith(ALL_TEST);
    const id = idIn(await answerOf(agent, CART, cart()));
    expect((await decideBy(["owner"], id, "approve")).status).toBe(403);
    expect((await decideBy(MANAGER, id, "approve", "globex")).status).toBe(404);
    const byKey = await send(`/partner/confirmations/${id}/approve`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Partner-Api-Key": keys.acme },
      body: "{}",
    });
    expect(byKey.status).toBe(403);
    expect(await rowsOf(confirmations, { id })).toMatchObject([{ decision: null }]);
    expect((await decideBy(["product_create"], id, "refuse")).status).toBe(200);
    expect((await decideBy(MANAGER, id, "approve")).status).toBe(409);
    const entries = await rowsOf(auditLog, { target: id });
    expect(entries).toMatchObject([{ action: "confirmation.refuse", partner_id: "acme", actor: expect.stringMatching(/^person person-/) }]);
  });

  it("can take a confirmation back until the agent has made it", async () => {
    const agent = await agentWith(ALL_TEST);
    const [back, made] = [cart(), cart()];
    const [idOfBack, idOfMade] = [idIn(await answerOf(agent, CART, back)), idIn(await answerOf(agent, CART, made))];
    for (const id of [idOfBack, idOfMade]) await decideBy(MANAGER, id, "approve");
    await answerOf(agent, CART, made);
    expect((await decideBy(MANAGER, idOfBack, "refuse")).body.state).toBe("refused");
    expect((await decideBy(MANAGER, idOfMade, "refuse")).status).toBe(409);
    expect(await answerOf(agent, CART, back)).toMatchObject({ error_code: "CONFIRMATION_REFUSED" });
    expect(await answerOf(agent, CART, made)).toMatchObject({ success: true, duplicate: true });
  });

  it("cannot take back what has begun: an attempt without an answer goes on, and what is refused is never made", async () => {
    const agent = await agentWith(ALL_TEST);
    const given = bankCart();
    const id = idIn(await answerOf(agent, BANK, given));
    await decideBy(MANAGER, id, "approve");
    await control("/faults", { target: "bank", call: "bank.Init", times: 9, kind: "reset_after" });
    expect(await answerOf(agent, BANK, given)).toMatchObject({ success: false });
    await control("/faults", undefined, "DELETE");
    expect((await decideBy(MANAGER, id, "refuse")).status).toBe(409);
    expect(await answerOf(agent, BANK, given)).toMatchObject({ success: true });
    expect(await rowsOf(confirmations, { id })).toMatchObject([
      { decision: "approved", begun_at: expect.any(Number), done_at: expect.any(Number) },
    ]);
  });

  it("can take back what would be another price by now, since nothing of it was begun", async () => {
    const agent = await agentWith(ALL_TEST);
    const given = cart();
    const id = idIn(await answerOf(agent, CART, given));
    await decideBy(MANAGER, id, "approve");
    // What the person has seen is not what is made now.
    const [{ preview }] = (await rowsOf(confirmations, { id })) as any;
    await updateRows(confirmations, { preview: preview.replace("7700", "7600") }, { id });
    expect(await answerOf(agent, CART, given)).toMatchObject({ error_code: "CONFIRMATION_REQUIRED" });
    expect(await rowsOf(confirmations, { id })).toMatchObject([{ begun_at: null }]);
    expect((await decideBy(MANAGER, id, "refuse")).body.state).toBe("refused");
  });

  it("without the operation's permission sees of an address the host alone, and no order reference", async () => {
    const agent = await agentWith(ALL_TEST);
    const id = idIn(
      await answerOf(agent, REGISTER, { test_url: "https://shop.example/hooks/a-secret-path", client_token: crypto.randomUUID() }),
    );
    const urlFor = async (key: string) => {
      const { body } = await send(`/partner/confirmations/${id}`, { headers: { "X-Partner-Api-Key": key } });
      return body.would_make.webhooks.map(({ url }: { url: string }) => url);
    };
    expect(await urlFor(keyFor("products_view"))).toEqual(["https://shop.example"]);
    expect(await urlFor(keys.acme)).toEqual(["https://shop.example/hooks/a-secret-path"]);
  });

  it("sees that it was made, also where another repeat than the first got the result", async () => {
    const agent = await agentWith(ALL_TEST);
    const given = cart();
    const id = idIn(await answerOf(agent, CART, given));
    await decideBy(MANAGER, id, "approve");
    await answerOf(agent, CART, given);
    // The note was lost with the host's connection; the result is repeated from its record.
    await updateRows(confirmations, { done_at: null }, { id });
    await answerOf(agent, CART, given);
    expect(await rowsOf(confirmations, { id })).toMatchObject([{ done_at: expect.any(Number) }]);
  });

  it("without rights sees nothing of it", async () => {
    const agent = await agentWith(ALL_TEST);
    const id = idIn(await answerOf(agent, CART, cart()));
    const show = (key: string) => send(`/partner/confirmations/${id}`, { headers: { "X-Partner-Api-Key": key } });
    expect((await show(keys.powerless)).status).toBe(403);
    expect((await show(keyFor("products_view"))).status).toBe(200);
    expect((await show(keyFor("product_create"))).status).toBe(200);
  });

  it("sees what waits, newest first, and nothing of another partner", async () => {
    const agent = await agentWith(ALL_TEST);
    const ids = [idIn(await answerOf(agent, CART, cart())), idIn(await answerOf(agent, CART, cart()))];
    const person = await signedIn(["products_view"]);
    const { body } = await person.get("confirmations?limit=1");
    expect(body.data).toMatchObject([{ confirmation_id: ids[1], state: "pending", would_make: { kind: "payment_link" } }]);
    const next = await person.get(`confirmations?limit=1&cursor=${body.next}`);
    expect(next.body.data).toMatchObject([{ confirmation_id: ids[0] }]);
    const own = (rows: readonly { confirmation_id: string }[]) => rows.map((one) => one.confirmation_id).filter((id) => ids.includes(id));
    const pending = async () => own((await person.get("confirmations?state=pending")).body.data);
    expect(await pending()).toEqual([ids[1], ids[0]]);
    await decideBy(MANAGER, ids[1] ?? "", "refuse");
    expect(await pending()).toEqual([ids[0]]);
    await updateRows(confirmations, { expires_at: Date.now() - 1 }, { id: ids[0] });
    expect(await pending()).toEqual([]);
    expect(own((await person.get("confirmations")).body.data)).toHaveLength(2);
    const stranger = await signedIn(["products_view"], "globex");
    expect((await stranger.get("confirmations")).body.data).toEqual([]);
    expect((await stranger.get(`confirmations/${ids[0]}`)).status).toBe(404);
  });
});
