import { beforeAll, describe, expect, it } from "vitest";
import {
  auditLog,
  bankPayments,
  endpoints,
  events,
  grants,
  idempotencyRecords,
  paymentLinks,
  promotionCodes,
  subscriptions,
} from "../../src/db/schema/index.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { creations, withStatuses } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import type { Answer } from "../support/answer.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keys, LINK, link, promotion, REGISTER, ROTATE, send } from "../support/api.ts";
import { Authenticator, invitationOf, Person } from "../support/authenticator.ts";
import { cron } from "../support/cron.ts";
import { recordPayment } from "../support/deliveries.ts";
import { ALL_RIGHTS, newPerson, signedIn } from "../support/people.ts";
import { bearer, callTool, signIn } from "../support/sign-in.ts";
import { control, SANDBOX, world } from "../support/stack.ts";
import { fieldOf, rowOf, rowsOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";

/** Every change through a caller names its holder: a key, a person, or an agent. */

const test_url = `${SANDBOX}/inbox/holders`;
let owner: Person & { id: string };
let token = "";
let keyId = "";
beforeAll(async () => {
  owner = await signedIn(ALL_RIGHTS);
  ({ access: token } = await signIn({ permissions: ALL_RIGHTS.filter((right) => right !== "owner") }));
  const { body } = await send("/partner/keys?limit=100", { headers: { "X-Partner-Api-Key": keys.acme } });
  keyId = body.data.find(
    ({ hint, revoked_at }: { hint: string; revoked_at: string | null }) => hint === keys.acme.slice(-4) && revoked_at === null,
  ).key_id;
});

const newSubscription = async () => {
  const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 } }));
  const { subscription } = await control<{ subscription: string }>("/pay", { short_url: body.short_url });
  await until(async () => expect(await fieldOf(subscriptions, "status", { id: subscription })).toBe("active"));
  return subscription;
};
const auditOf = async (answer: Answer) => {
  const request_id = answer.headers.get("X-Request-Id") ?? "";
  return rowsOf(auditLog, { request_id }, { columns: ["actor", "action"] });
};

/** A request of each operation that changes something, and the holder of what it has made. */
const made: Record<
  string,
  { readonly body: () => Record<string, unknown>; readonly holder: (answer: Record<string, any>) => Promise<unknown> }
> = {
  [LINK]: { body: link, holder: ({ processor_payment_link_id: id }) => fieldOf(paymentLinks, "holder", { id }) },
  [CODE]: { body: promotion, holder: ({ stripe_promotion_code_id: id }) => fieldOf(promotionCodes, "holder", { id }) },
  [CART]: { body: cart, holder: ({ payment_link_id: id }) => fieldOf(paymentLinks, "holder", { id }) },
  [BANK]: { body: bankCart, holder: ({ order_id }) => fieldOf(bankPayments, "holder", { order_id }) },
  [REGISTER]: {
    body: () => ({ test_url: `${test_url}-${crypto.randomUUID()}` }),
    holder: async () => (await newest("endpoint.register"))?.actor,
  },
  [ROTATE]: {
    body: () => ({ environment: "test", client_token: crypto.randomUUID() }),
    holder: async () => (await newest("endpoint.rotate_secret"))?.actor,
  },
};
const newest = async (action: string) => (await rowsOf(auditLog, { action }, { columns: ["actor"], orderBy: "id" })).at(-1);

describe.each(Object.entries(made))("what %s makes names", (name, { body, holder }) => {
  it("the key", async () => {
    const answer = [LINK, CODE].includes(name) ? await callV1(name, body()) : await call(name, body());
    expect(answer.body).toMatchObject({ success: true });
    expect(await holder(answer.body)).toBe(`holder of ${keyId}`);
  });

  it("the person", async () => {
    const { auth_mode: _mode, api_key: _key, ...sent } = body();
    const answer = await owner.ask("POST", `operations/${name}`, name === LINK ? { ...sent, auth_mode: "api_key" } : sent);
    expect(answer.body).toMatchObject({ success: true });
    expect(await holder(answer.body)).toBe(`person ${owner.id}`);
  });

  it.skipIf(name === LINK)("the agent, with its key", async () => {
    const { result } = (await callTool(name, body(), bearer(token))).body;
    expect(result.structuredContent).toMatchObject({ success: true });
    expect(await holder(result.structuredContent)).toMatch(new RegExp(`^agent grant_\\w+ of ${keyId}$`));
  });
});

it("covers every operation that changes something; operation 4 is in the audit log", async () => {
  const changing = [...creations, ...operations].filter(({ effect }) => !effect.readOnly).map(({ name }) => name);
  expect(Object.keys(made).toSorted()).toEqual(changing.toSorted());
  expect(withStatuses.filter(({ kind }) => kind === "creation").map(({ name }) => name)).toEqual(["cancel_subscription_at_period_end"]);
  const id = await newSubscription();
  const answer = await send(`/webhook/cancel_subscription_at_period_end?subscription_id=${id}`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", "X-Partner-Api-Key": keys.acme },
    body: "cancel_at_period_end=true",
  });
  expect(answer.status).toBe(200);
  expect(await auditOf(answer)).toEqual([{ actor: `holder of ${keyId}`, action: "subscription.set_cancel" }]);
});

it("a run that the cron finishes keeps the holder of its request, and a webhook that stays where it is has no new row", async () => {
  await control("/faults", { target: "processor", call: "payment_links.create", times: 1, kind: "http_500" });
  const { body } = await call(CART, cart());
  expect(body.success).toBe(true);
  await updateRows(paymentLinks, { slug: null, items: null, holder: "lost" }, { id: body.payment_link_id });
  const record_id = await fieldOf(paymentLinks, "record_id", { id: body.payment_link_id });
  expect(await rowOf(idempotencyRecords, { id: record_id }, ["holder"])).toEqual({ holder: `holder of ${keyId}` });
  await call(REGISTER, { test_url });
  const again = await call(REGISTER, { test_url });
  expect(await auditOf(again)).toEqual([]);
  await cron();
});

const LEAVES_NOTHING = ["passkeys begin", "session verify-begin", "chat test", "operations call"];

const FURTHER = { environment: "test", name: "further", webhook_url: test_url };
const furtherWebhook = async (): Promise<string> => (await owner.ask("POST", "webhooks", FURTHER)).body.webhook;

const submitted = (name: string) => ({ kind: "ruble", name, amount: 100 });

const isOpen = ({ revoked_at }: { revoked_at: string | null }) => revoked_at === null;

/** What an agent asks a person for. */
async function asked(): Promise<string> {
  const { access, clientId } = await signIn();
  const [row] = await rowsOf(grants, { client_id: clientId });
  await owner.ask("PUT", `agents/${row?.id}/confirmations`, { environment: "test", demand: "all" });
  const { body } = await callTool(CART, cart(), bearer(access));
  return body.result.structuredContent.confirmation_url.split("/").at(-1);
}

/** Each changing call of self-service, by a person. */
const calls: Record<string, () => Promise<Answer>> = {
  "keys create": () => owner.ask("POST", "keys", { label: "x", permissions: ["balance_view"] }),
  "keys permit": async () => owner.ask("PUT", `keys/${await newKey()}/permissions`, { permissions: [] }),
  "keys revoke": async () => owner.ask("POST", `keys/${await newKey()}/revoke`),
  "agents revoke": async () => {
    await signIn();
    const { body } = await owner.get("agents");
    return owner.ask("POST", `agents/${body.data.find(isOpen).grant_id}/revoke`);
  },
  "agents confirm": async () => {
    await signIn();
    const { body } = await owner.get("agents");
    return owner.ask("PUT", `agents/${body.data.find(isOpen).grant_id}/confirmations`, { environment: "test", demand: "all" });
  },
  "confirmations approve": async () => owner.ask("POST", `confirmations/${await asked()}/approve`, {}),
  "confirmations refuse": async () => owner.ask("POST", `confirmations/${await asked()}/refuse`, {}),
  "people invite": () => owner.ask("POST", "people", { name: "x", permissions: [] }),
  "people invite-again": async () => owner.ask("POST", `people/${await newPerson([])}/invitation`),
  "people permit": async () => owner.ask("PUT", `people/${await newPerson([])}/permissions`, { permissions: ["balance_view"] }),
  "people disable": async () => owner.ask("POST", `people/${await newPerson([])}/disable`),
  "people enable": async () => {
    const person = await newPerson([]);
    await owner.ask("POST", `people/${person}/disable`);
    return owner.ask("POST", `people/${person}/enable`);
  },
  "sessions end": async () => owner.ask("POST", `sessions/${(await (await signedIn([])).get("session")).body.session}/end`),
  "settings set": () => owner.ask("PUT", "settings", { time_zone: "Europe/Berlin" }),
  "session verify": () => owner.verify(),
  "passkeys add": async () => {
    const { body } = await owner.ask("POST", "passkeys/challenge");
    return owner.ask("POST", "passkeys", { response: await new Authenticator().create(body.options), label: "x" });
  },
  "passkeys remove": async () => {
    const { body } = await owner.get("passkeys");
    return owner.ask("DELETE", `passkeys/${body.data.at(-1).passkey}`, {});
  },
  "chat set": () => owner.ask("PUT", "chat", { kind: "webhook", webhook_url: `${SANDBOX}/inbox/chat` }),
  "chat remove": () => owner.ask("DELETE", "chat", {}),
  "emails add": async () => {
    await owner.ask("POST", "emails", { address: "holder@example.com", environment: "test" });
    const [sent = { body: "{}" }] = (world.state.inboxes.mail?.received ?? []).slice(-1);
    const [, code] = /The code is ([0-9a-f]+)/.exec(JSON.parse(sent.body).text) ?? [];
    return owner.ask("POST", "emails", { address: "holder@example.com", environment: "test", code });
  },
  "emails remove": async () => owner.ask("DELETE", `emails/${(await owner.get("emails")).body.data[0].email}`, {}),
  "links limit": async () =>
    owner.ask("POST", `links/${(await call(CART, cart())).body.payment_link_id}/limits`, { completed_sessions: 1 }),
  "links disable": async () => owner.ask("POST", `links/${(await call(CART, cart())).body.payment_link_id}/disable`),
  "links enable": async () => {
    const { payment_link_id } = (await call(CART, cart())).body;
    await owner.ask("POST", `links/${payment_link_id}/disable`);
    return owner.ask("POST", `links/${payment_link_id}/enable`);
  },
  "products submit": () => owner.ask("POST", "products", submitted("of a holder")),
  "products resubmit": async () => {
    const { product_id } = (await owner.ask("POST", "products", submitted("of a holder, again"))).body;
    return owner.ask("PUT", `products/${product_id}`, submitted("of a holder, changed"));
  },
  "webhooks secret": () => owner.ask("POST", "webhooks/test/secret"),
  "webhooks test": () => owner.ask("POST", "webhooks/test/test", {}),
  "webhooks add": () => owner.ask("POST", "webhooks", FURTHER),
  "webhooks change": async () => owner.ask("PATCH", `webhooks/${await furtherWebhook()}`, { name: "changed" }),
  "webhooks replace-secret": async () => owner.ask("POST", `webhooks/${await furtherWebhook()}/replace-secret`, {}),
  "webhooks unregister": () => owner.ask("DELETE", "webhooks/test", {}),
  "webhooks resume": () => owner.ask("POST", "webhooks/test/resume"),
  "deliveries resend": async () => owner.ask("POST", `deliveries/${await recordPayment()}/resend`),
  "deliveries resend-chosen": async () => {
    const id = await recordPayment();
    await updateRows(events, { state: "exhausted", waiting: 0 }, { id });
    return owner.ask("POST", "deliveries/resend-chosen", { deliveries: [id] });
  },
  "deliveries resend-exhausted": async () => {
    await updateRows(events, { state: "exhausted", waiting: 0 }, { id: await recordPayment() });
    await updateRows(endpoints, { restarted_at: null }, { id: "ep_acme_test" });
    return owner.ask("POST", "deliveries/resend?environment=test");
  },
  "subscriptions cancel": async () =>
    owner.ask("PUT", `subscriptions/${await newSubscription()}/cancel-at-period-end`, { cancel_at_period_end: true }),
  "session end": async () => {
    const answer = await owner.ask("POST", "session/end", {});
    owner = Object.assign(new Person(), { id: await newPerson(ALL_RIGHTS) });
    await owner.accept(await invitationOf(owner.id));
    return answer;
  },
};
const newKey = async () => (await owner.ask("POST", "keys", { label: "x", permissions: ["balance_view"] })).body.key_id as string;

describe("a changing call of self-service", () => {
  it("is each of these", () => {
    const changing = partnerCalls.filter(({ method }) => method !== "GET").map(({ command }) => command);
    expect([...Object.keys(calls), ...LEAVES_NOTHING].toSorted()).toEqual(changing.toSorted());
  });

  it.each(Object.keys(calls))("%s: leaves a row of the audit log with its holder", async (command) => {
    const { id } = owner;
    const answer = await calls[command]?.();
    if (answer === undefined) throw new Error("each has a call");
    expect(answer.status).toBeLessThan(300);
    const rows = await auditOf(answer);
    expect(rows.length).toBeGreaterThan(0);
    for (const { actor } of rows) expect(actor).toBe(`person ${id}`);
  });
});
