import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { exampleRequestOf } from "../../tools/site/openapi/call-examples.ts";
import { call, keys, REGISTER, send } from "../support/api.ts";
import { SANDBOX } from "../support/stack.ts";

/** The example of each call of self-service is a request that the service takes: nothing in it is refused as wrong input. */

const calls = partnerCalls.filter(({ permission }) => permission !== "signed_in");
const OTHER = { "https://books.example/hook": `${SANDBOX}/inbox/books`, "https://chat.example.com/hooks/…": `${SANDBOX}/inbox/chat` };

beforeAll(async () => {
  await call(REGISTER, { test_url: `${SANDBOX}/inbox/examples` });
});
afterAll(async () => {
  const headers = { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" };
  await send("/partner/settings", { method: "PUT", headers, body: JSON.stringify({ time_zone: "UTC" }) });
});

describe.each(calls.map((one) => [one.command, one] as const))("%s", (_command, one) => {
  it("is taken as it stands in the reference", async () => {
    const { path, query, body } = exampleRequestOf(one);
    const filled = one.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(path[name])));
    const asked = Object.entries(query).map(([name, value]) => [name, String(value)]);
    const answer = await send(`${filled}?${new URLSearchParams(asked).toString()}`, {
      method: one.method,
      headers: { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" },
      ...(one.method === "GET"
        ? {}
        : { body: Object.entries(OTHER).reduce((text, [from, to]) => text.replace(from, to), JSON.stringify(body)) }),
    });
    // What the example names need not be there: an event, a link, a key. Only a person invites.
    const taken = one.command === "people invite" ? [403] : [200, 201, 404, 409];
    expect([answer.status, answer.body?.error_message]).toEqual([expect.toBeOneOf(taken), answer.body?.error_message]);
  });
});
