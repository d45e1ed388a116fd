import { beforeAll, describe, expect, it } from "vitest";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { BANK, bankCart, CART, CODE, call, callV1, cart, keys, LINK, link, promotion, REGISTER, send } from "../support/api.ts";
import { change, ops } from "../support/ops.ts";
import { pay, quiet } from "../support/payments.ts";
import { control, SANDBOX } from "../support/stack.ts";

/** Whatever id an answer gave, the search of operators finds: one of each kind, from each list and each creation. */

type Named = readonly [field: string, value: string];

/** The ids in an answer, with the fields that have them. */
function idsIn(value: unknown, field = ""): Named[] {
  if (Array.isArray(value)) return value.flatMap((one) => idsIn(one, field));
  if (typeof value === "object" && value !== null) return Object.entries(value).flatMap(([name, one]) => idsIn(one, name));
  const isId = typeof value === "string" && (/(^|_)id$/.test(field) || /^[a-z]{2,6}_(?=\w*\d)\w{8,}$/.test(value));
  return isId ? [[field, value]] : [];
}

const kindOf = ([field, value]: Named): string => `${field} ${/^[a-z]+_/.exec(value)?.[0] ?? ""}`;

const lists = [...opsCalls, ...partnerCalls].filter(
  ({ method, path, download }) => method === "GET" && download === null && !path.includes("{"),
);

let found: Map<string, string>;
let ofPartner: Map<string, string>;

beforeAll(async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/every-id` });
  const answers: unknown[] = [
    (await call(CART, cart({ client_token: "every-id" }))).body,
    (await callV1(LINK, link())).body,
    (await callV1(CODE, promotion({ code: "EVERYONE" }))).body,
    (await call(BANK, bankCart({ external_order_id: "every-order" }))).body,
    (await change("partners/acme/keys", { label: "Every id", permissions: ["balance_view"] })).body,
    (await change("partners/acme/employees", { name: "Every id" })).body,
  ];
  const paid = await pay(["TestUsd1"], { client_reference_id: "every-reference" });
  await pay(["TestMonthly"]);
  await control("/refund", { payment_intent: paid.payment_intent, amount: 100 });
  await control("/dispute", { payment_intent: paid.payment_intent });
  await quiet();
  const own: unknown[] = [...answers];
  for (const { path } of lists) {
    const isOps = path.startsWith("/ops/");
    const { status, body } = isOps
      ? await ops(path.slice("/ops/".length))
      : await send(path, { headers: { "X-Partner-Api-Key": keys.acme } });
    if (status === 200) answers.push(body);
    if (status === 200 && !isOps) own.push(body);
  }
  ofPartner = new Map(idsIn(own).map((named) => [kindOf(named), named[1]]));
  found = new Map(idsIn(answers).map((named) => [kindOf(named), named[1]]));
});

describe("the search of operators", () => {
  it("finds one of every kind of id that an answer has", async () => {
    expect(found.size).toBeGreaterThan(20);
    const missing: string[] = [];
    for (const [kind, value] of found) {
      const { status, body } = await ops(`find?q=${encodeURIComponent(value)}`);
      if (status !== 200 || body.data.length === 0) missing.push(`${kind}: ${value}`);
    }
    expect(missing).toEqual([]);
  });
});

describe("the search of partners", () => {
  it("finds nothing of another partner by any of these ids", async () => {
    const foreign: string[] = [];
    for (const [kind, value] of ofPartner) {
      const { status, body } = await send(`/partner/find?q=${encodeURIComponent(value)}`, {
        headers: { "X-Partner-Api-Key": keys.globex },
      });
      if (status !== 200 || body.data.length > 0) foreign.push(`${kind}: ${value}`);
    }
    expect(foreign).toEqual([]);
  });

  it("finds one of every kind of id that an answer to a partner has", async () => {
    expect(ofPartner.size).toBeGreaterThan(10);
    const missing: string[] = [];
    for (const [kind, value] of ofPartner) {
      const { status, body } = await send(`/partner/find?q=${encodeURIComponent(value)}`, { headers: { "X-Partner-Api-Key": keys.acme } });
      if (status !== 200 || body.data.length === 0) missing.push(`${kind}: ${value}`);
    }
    expect(missing).toEqual([]);
  });
});
