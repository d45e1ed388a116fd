import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { buildDeps } from "../../src/build-deps.ts";
import { newSlug, slugPattern } from "../../src/short-links/slug.ts";
import { CART, call, cart, send } from "../support/api.ts";
import { buildApp } from "../support/app.ts";
import { ID_CODE } from "../support/cells.ts";
import { MINUTE, pass, realTime } from "../support/later.ts";
import { aroundEffects, costs, countEffects, resetEffects } from "../support/observe.ts";
import { breakShortLinks } from "../support/short-links.ts";
import { EDGE, objects, processorCalls, SANDBOX } from "../support/stack.ts";
import { until } from "../support/until.ts";

afterEach(() => {
  resetEffects();
});

const make = async () => (await call(CART, cart())).body;

describe("slugs", () => {
  it("are the code of a cell and 12 letters and digits, each about as often as the others, with a check, and never come twice", () => {
    const slugs = Array.from({ length: 20_000 }, () => newSlug(ID_CODE));
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs.every((slug) => slugPattern.test(slug) && slug.length === 16 && slug.startsWith(ID_CODE))).toBe(true);
    const counts = new Map<string, number>();
    for (const letter of slugs.map((slug) => slug.slice(2, -2)).join("")) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const expected = (slugs.length * 12) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(7 * Math.sqrt(expected));
  });
});

describe("following one", () => {
  // interface L.2
  it("leads to the checkout, with the customer's query", async () => {
    const link = await make();
    const answer = await send(`/${link.short_url_id}?client_reference_id=order%201&utm_source=mail&utm_source=two`);
    expect(answer.status).toBe(302);
    expect(answer.headers.get("Location")).toBe(
      `${SANDBOX}/checkout/${link.payment_link_id}?client_reference_id=order%201&utm_source=mail&utm_source=two`,
    );
    expect(answer.headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
    expect(answer.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(answer.headers.get("Strict-Transport-Security")).toContain("max-age");
    expect(answer.body).toBe("");
  });

  it("is answered from what the isolate remembers, for a minute, and then from KV again", async () => {
    const link = await make();
    const follow = async () => {
      const { result, counts } = await countEffects(() => send(`/${link.short_url_id}?utm_source=mail`));
      expect([result.status, result.headers.get("Location")]).toEqual([302, `${SANDBOX}/checkout/${link.payment_link_id}?utm_source=mail`]);
      expect(result.headers.get("X-Request-Id")).toMatch(/^[0-9a-f]{16}$/);
      return counts;
    };
    // The slug, and once a minute the list of disabled partners.
    expect(await follow()).toMatchObject({ d1: 0, "kv.put": 0 });
    expect(await follow()).toEqual(costs({}));
    pass(MINUTE);
    expect(await follow()).toEqual(costs({ "kv.get": 2 }));
    // What D1 had to answer is remembered too.
    await env.SHORT_LINKS.delete(link.short_url_id);
    pass(MINUTE);
    expect(await follow()).toMatchObject({ "kv.get": 2 });
    // Behind the answer, KV is written, and D1 asked once more whether the link was disabled meanwhile.
    await until(async () => expect(await follow()).toEqual(costs({})));
    realTime();
  });

  // interface L.2
  it("lets what the link says itself win over the query", async () => {
    const link = await make();
    await env.SHORT_LINKS.put(link.short_url_id, `acme ${SANDBOX}/checkout/x?locale=pt&a=1`);
    const answer = await send(`/${link.short_url_id}?locale=de&b=2`);
    expect(answer.headers.get("Location")).toBe(`${SANDBOX}/checkout/x?locale=pt&a=1&b=2`);
  });

  // interface L.2
  it("answers HEAD like GET, and nothing else", async () => {
    const link = await make();
    const head = await send(`/${link.short_url_id}`, { method: "HEAD" });
    expect(head.status).toBe(302);
    expect(head.headers.get("Location")).toContain(link.payment_link_id);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const answer = await send(`/${link.short_url_id}`, { method });
      expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("asks D1 where KV does not know, and tells KV", async () => {
    const link = await make();
    await env.SHORT_LINKS.delete(link.short_url_id);
    expect((await send(`/${link.short_url_id}`)).status).toBe(302);
    await expect.poll(() => env.SHORT_LINKS.get(link.short_url_id)).toContain(link.payment_link_id);
  });

  it("works where KV could not be written", async () => {
    aroundEffects((effect, perform) => (effect === "kv.put" ? Promise.reject(new Error("KV is down")) : perform()));
    const link = await make();
    expect(link).toMatchObject({ success: true });
    expect((await send(`/${link.short_url_id}`)).status).toBe(302);
  });
});

// interface L.3
describe("an unknown one", () => {
  it.each([
    ["ru-RU,ru;q=0.9,en;q=0.8", "ru", "Эта ссылка на оплату не работает"],
    ["pt-BR", "pt", "Este link de pagamento não funciona"],
    ["de-AT,en;q=0.5", "de", "Dieser Zahlungslink funktioniert nicht"],
    ["en-GB", "en", "This payment link does not work"],
    ["ja,fi;q=0.5", "en", "This payment link does not work"],
    ["ja;q=0.9, ru;q=0.1", "ru", "Эта ссылка на оплату не работает"],
    ["en;q=0.1, de;q=0.2", "de", "Dieser Zahlungslink funktioniert nicht"],
    [";;,=", "en", "This payment link does not work"],
  ])("shows a page for %s in %s", async (header, language, title) => {
    const answer = await send("/AAAAAAAAAAAA", { headers: { "Accept-Language": header } });
    expect(answer.status).toBe(404);
    expect(answer.headers.get("Content-Language")).toBe(language);
    expect(answer.headers.get("Vary")).toContain("Accept-Language");
    expect(answer.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    expect(answer.headers.get("X-Robots-Tag")).toContain("noindex");
    expect(answer.body).toContain(title);
    expect(answer.body).toContain(`lang="${language}"`);
    const nonce = /nonce="([^"]+)"/.exec(answer.body as string)?.[1];
    expect(answer.headers.get("Content-Security-Policy")).toContain(`'nonce-${nonce}'`);
  });
});

it("a page has the name and the colour that the settings choose, and no markup of either", async () => {
  const brand = { BRAND_NAME: "Tea & <Biscuits>", BRAND_COLOR: "#AB12cd" };
  const ask = async (vars: object) => {
    const app = buildApp(buildDeps(Object.assign({}, env, vars)));
    return (await app(new Request(`${EDGE}/AAAAAAAAAAAA`), createExecutionContext())).text();
  };
  const page = await ask(brand);
  expect(page).toContain('<p class="name">Tea &amp; &lt;Biscuits&gt;</p>');
  expect(page).toContain("solid #AB12cd;");
  expect(await ask({})).not.toContain('class="name"');
  for (const color of ["red", "#12345", "#1234567", "#12345g"])
    expect(() => buildDeps(Object.assign({}, env, { BRAND_COLOR: color }))).toThrow("BRAND_COLOR: must be a colour");
});

describe("when issuing fails", () => {
  let mend = () => {};
  afterEach(() => mend());
  const failing = (times: number) => {
    const broken = breakShortLinks(times);
    ({ mend } = broken);
    return broken.tries;
  };

  // interface L.4
  it.each([1, 2])("tries again, %i failures long", async (times) => {
    const failures = failing(times);
    const { body } = await call(CART, cart());
    expect(failures()).toBe(times);
    expect(body).toMatchObject({ success: true, duplicate: false });
  });

  // interface E.8, L.4, T.9
  it("keeps the link after three, and the same request makes only the short link anew", async () => {
    const before = (await objects("payment_links")).length;
    const body = cart();
    failing(3);
    expect((await call(CART, body)).body).toMatchObject({ success: false, error_code: "SHORT_URL_UNAVAILABLE" });
    mend();
    const since = Date.now();
    const { result, counts } = await countEffects(() => call(CART, body));
    expect(result.body).toMatchObject({ success: true, duplicate: false, line_item_count: 2 });
    expect(counts.processor).toBe(0);
    expect((await processorCalls(since)).length).toBe(0);
    expect((await objects("payment_links")).length - before).toBe(1);
    expect((await send(`/${result.body.short_url_id}`)).status).toBe(302);
  });

  it("never gives a slug out twice: a taken one is passed over", async () => {
    const taken = (await make()).short_url_id as string;
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    const bytes = Uint8Array.from(taken.slice(ID_CODE.length, -2), (letter) => alphabet.indexOf(letter));
    const original = crypto.getRandomValues.bind(crypto);
    let repeats = 0;
    const randomValues = vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => {
      if (array instanceof Uint8Array && array.length === 12 && repeats < 2) {
        repeats += 1;
        array.set(bytes);
        return array;
      }
      return original(array as never);
    });
    const link = await make();
    randomValues.mockRestore();
    expect(repeats).toBe(2);
    expect(link).toMatchObject({ success: true });
    expect(link.short_url_id).not.toBe(taken);
  });
});
