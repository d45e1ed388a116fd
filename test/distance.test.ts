import { afterEach, beforeAll, describe, expect, it } from "vitest";
import page from "../docs/performance.md?raw";
import type { Deps } from "../src/deps.ts";
import type { KeyActors } from "../src/idempotency/client.ts";
import { BANK, bankCart, CART, CODE, cart, keys, LINK, LIST, LIVE_LINKS, link, PAYMENT, promotion } from "./support/api.ts";
import { buildApp } from "./support/app.ts";
import { cellDeps } from "./support/cells.ts";
import { aroundEffects, objectAtWork, resetEffects } from "./support/observe.ts";
import { isConsuming } from "./support/old-messages.ts";
import { pay, quiet } from "./support/payments.ts";
import { EDGE } from "./support/stack.ts";

/**
 * How many trips to where the databases are follow each other, as docs/performance.md says. The Worker runs near its
 * caller; the objects are made beside the databases, so what they ask there is near.
 */

/** A trip that begins when others have ended follows them; trips that are under way together are one. */
let ended = 0;
let longest = 0;

async function far<Result>(perform: () => Promise<Result>): Promise<Result> {
  const place = ended + 1;
  longest = Math.max(longest, place);
  try {
    return await perform();
  } finally {
    ended = Math.max(ended, place);
  }
}

const farObjects =
  (objects: KeyActors): KeyActors =>
  (id, cell) => ({
    handle: (request) => far(() => objects(id, cell).handle(request)),
    compensate: (...what) => objects(id, cell).compensate(...what),
  });

const withFarObjects = <Some extends Deps>(deps: Some): Some => ({
  ...deps,
  keyActors: farObjects(deps.keyActors),
  ofPartner: (home) => ({ ...deps.ofPartner(home), keyActors: farObjects(deps.ofPartner(home).keyActors) }),
});

const own = cellDeps();
const app = buildApp({ ...own, forRequest: (request, address) => withFarObjects(own.forRequest(request, address)) });

async function ask(path: string, body?: object): Promise<Response> {
  const headers = { "Content-Type": "application/json", "X-Partner-Api-Key": keys.acme };
  const init = body === undefined ? { redirect: "manual" as const } : { method: "POST", headers, body: JSON.stringify(body) };
  return app(new Request(`${EDGE}/${path}`, init), { waitUntil: () => undefined } as unknown as ExecutionContext);
}

afterEach(resetEffects);

async function farTrips(path: string, body?: object): Promise<number> {
  [ended, longest] = [0, 0];
  aroundEffects((effect, perform) => (effect === "d1" && !objectAtWork() && !isConsuming() ? far(perform) : perform()));
  const response = await ask(path, body);
  const text = await response.text();
  resetEffects();
  expect([text, response.status < 400, text.includes("INVALID")]).toEqual([text, true, false]);
  return longest;
}

/** What the page says of an operation. */
function said(what: string): number[] {
  const row = page.split("\n").find((line) => line.startsWith(`| ${what} |`)) ?? expect.fail(`the page does not have ${what}`);
  return row
    .split("|")
    .slice(2, -1)
    .map((cell) => Number(cell.trim()));
}

describe("so many far trips follow each other:", () => {
  const v1 = (body: object) => ({ api_key: keys.acme, ...body });

  // The isolate has seen the key.
  beforeAll(async () => void (await (await ask(LIST, {})).text()));

  it.each([
    ["a cart link (operation 8)", CART, cart],
    ["a ruble payment (9)", BANK, bankCart],
    ["a link (1)", `webhook/${LINK}`, () => v1(link())],
    ["a promotion code (2)", `webhook/${CODE}`, () => v1(promotion())],
  ] as const)("%s, new and repeated", async (what, path, make) => {
    const body = make();
    expect([await farTrips(path, body), await farTrips(path, body)]).toEqual(said(what));
  });

  it.each([
    ["a list of payments (5)", LIST, {}],
    ["live links (7)", LIVE_LINKS, {}],
  ] as const)("%s", async (what, path, body) => {
    expect([await farTrips(path, body)]).toEqual(said(what));
  });

  it("one payment (6)", async () => {
    const { payment_intent } = await pay(["TestUsd1"]);
    await quiet();
    expect([await farTrips(PAYMENT, { payment_intent_id: payment_intent })]).toEqual(said("one payment (6)"));
  });

  it("a short link", async () => {
    const { short_url_id: slug } = await (await ask(CART, cart())).json<{ short_url_id: string }>();
    expect([await farTrips(slug), await farTrips(slug)]).toEqual(said("a short link that KV knows"));
  });
});
