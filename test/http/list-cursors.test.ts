import { expect, it } from "vitest";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";

const lists = [...opsCalls, ...partnerCalls].filter(({ query }) => "cursor" in query.shape);
const NO_ONE: never = undefined as never;

/** Every path parameter, with a value that its schema takes. */
const paramsOf = (path: string) => Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, "acme"]));

it("there are lists", () => expect(lists.length).toBeGreaterThan(25));

it.each(lists.map((call) => [`${call.method} ${call.path}`, call] as const))(
  "%s refuses the cursor of another list",
  async (_name, call) => {
    const other = "another.list~WzEsImEiXQ";
    const asked = { params: paramsOf(call.path), body: {}, file: "" };
    const query = {
      cursor: other,
      ...("environment" in call.query.shape ? { environment: "test" } : {}),
      ...("partner" in call.query.shape ? { partner: "acme" } : {}),
    };
    const failure = { error: { kind: "invalid_input", field: "cursor" } };
    await expect(call.perform(NO_ONE, { ...asked, query })).rejects.toMatchObject(failure);
    // One without a name is no better.
    await expect(call.perform(NO_ONE, { ...asked, query: { ...query, cursor: "WzEsImEiXQ" } })).rejects.toMatchObject(failure);
  },
);
