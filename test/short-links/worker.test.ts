import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { texts } from "../../src/http/short-domain/texts.ts";
import linksWorker from "../../src/links-worker.ts";
import { newSlug } from "../../src/short-links/slug.ts";
import apiWorker from "../../src/worker.ts";
import { CART, LIST } from "../support/api.ts";
import { ID_CODE } from "../support/cells.ts";
import { realTime } from "../support/later.ts";
import { upTo } from "../support/up-to.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** The Worker of the short links, as it is deployed: `wrangler.links.toml` binds what it has here, and nothing else. */

const SHORT = "https://pay.partner.test";
const SLUG = "01acmeLiveUsd1First";
const CHECKOUTS = "http://sandbox.test:8788";

const { CELL_1, DIRECTORY, SHORT_LINKS } = env;
/** The checkout of these tests is no https address, which a deployed Worker would refuse. */
const vars = { DEPLOYMENT: "local", CHECKOUT_ORIGINS: CHECKOUTS };
const bindings = { CELL_1, DIRECTORY, SHORT_LINKS, ...vars };
const deployed = { ...bindings, DEPLOYMENT: "production", CHECKOUT_ORIGINS: "https://checkout.example" };

async function ask(url: string, init: RequestInit = {}, bound: object = bindings): Promise<Response> {
  const context = createExecutionContext();
  const request = new Request(url, { redirect: "manual", ...init });
  // The handler's type asks for a request that came in; this one was made here.
  const response = await linksWorker.fetch(request as never, bound as typeof bindings, context);
  await waitOnExecutionContext(context);
  return response;
}

afterEach(() => vi.restoreAllMocks());

describe("the Worker of the short links", () => {
  it("serves short links and nothing else", async () => {
    expect((await ask(`${SHORT}/${SLUG}`)).status).toBe(302);
    const others = ["/", "/health", `/${LIST}`, "/ingest/processor/live", "/docs", "/docs/errors", "/openapi.json", "/llms.txt", "/mcp"];
    for (const path of [...others, "/robots.txt", "/a/b", "/ops/partners", "/partner/products", "/dashboard"]) {
      const response = await ask(`${SHORT}${path}`);
      expect([path, response.status, response.headers.get("Content-Type")]).toEqual([path, 404, expect.stringContaining("text/html")]);
      expect(response.headers.get("Location")).toBeNull();
    }
    expect((await ask(`${SHORT}/${LIST}`, { method: "POST", body: "{}" })).status).toBe(404);
    expect((await ask(`${SHORT}/${CART}`, { method: "POST", body: "{}" })).status).toBe(404);
  });

  it("serves them at any host that leads to it: a relay may ask under another name", async () => {
    expect((await ask(`https://behind.partner.test/${SLUG}`)).status).toBe(302);
  });

  it("goes on where the API's Worker cannot start, on the same stores", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = Object.assign({}, env, { OPS_TOKEN: undefined });
    const api = await apiWorker.fetch?.(new Request("http://localhost/health") as never, broken, createExecutionContext());
    expect([api?.status, logged.mock.calls.length]).toEqual([503, 1]);
    expect((await ask(`${SHORT}/${SLUG}`)).status).toBe(302);
    await SHORT_LINKS.delete(SLUG);
    expect((await ask(`${SHORT}/${SLUG}`, {}, { ...bindings })).status).toBe(302);
  });

  it("answers HEAD like GET, without a body, and no other method", async () => {
    expect((await ask(`${SHORT}/${SLUG}`, { method: "HEAD" })).status).toBe(302);
    const page = await ask(`${SHORT}/AAAAAAAAAAAA`, { method: "HEAD" });
    expect([page.status, await page.text()]).toEqual([404, ""]);
    for (const method of ["POST", "PUT", "DELETE"]) {
      const refused = await ask(`${SHORT}/${SLUG}`, { method });
      expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
    }
  });

  it("leads to https first where it is deployed, with path and query", async () => {
    const response = await ask(`http://pay.partner.test/${SLUG}?utm_source=mail`, {}, deployed);
    expect([response.status, response.headers.get("Location")]).toEqual([301, `${SHORT}/${SLUG}?utm_source=mail`]);
    const page = await ask("http://pay.partner.test/nothing", {}, deployed);
    expect([page.status, page.headers.get("Location")]).toEqual([301, `${SHORT}/nothing`]);
  });

  it("follows a slug that came percent-encoded, by way of its own address", async () => {
    const response = await ask(`${SHORT}/%30%31acmeLiveUsd1First?a=1`);
    expect([response.status, response.headers.get("Location")]).toEqual([302, `/${SLUG}?a=1`]);
  });

  it("gives every answer an id, and keeps it from caches, indexes and the checkout's referrer", async () => {
    for (const path of [`/${SLUG}`, "/AAAAAAAAAAAA", "/", `/${SLUG}.`]) {
      const { headers } = await ask(`${SHORT}${path}`);
      expect(headers.get("X-Request-Id")).toMatch(/^[0-9a-f]{16}$/);
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Robots-Tag")).toBe("noindex, nofollow");
      expect(headers.get("Referrer-Policy")).toBe("no-referrer");
      expect(headers.get("Strict-Transport-Security")).toBe("max-age=15552000; includeSubDomains");
    }
  });

  it("reads the database where KV has nothing, and a cell that is not bound costs nothing", async () => {
    await SHORT_LINKS.delete(SLUG);
    expect((await ask(`${SHORT}/${SLUG}`, {}, { ...bindings })).status).toBe(302);
    expect(await SHORT_LINKS.get(SLUG)).toContain(`acme ${CHECKOUTS}/checkout/`);
    const elsewhere = await ask(`${SHORT}/zzUnknownPlace1`, {}, { ...bindings });
    expect(elsewhere.status).toBe(404);
  });

  it("slows an address down after so many unknown slugs, and links still work", async () => {
    const limited = { ...bindings, UNKNOWN_SLUGS: upTo(2) };
    const at = (slug: string, address = "192.0.2.1") => ask(`${SHORT}/${slug}`, { headers: { "CF-Connecting-IP": address } }, limited);
    for (const slug of ["01unknownLink1", "01unknownLink2", "01unknownLink3"]) expect((await at(slug)).status).toBe(404);
    virtualTime();
    expect((await at(SLUG)).status).toBe(302);
    const many = await Promise.all(Array.from({ length: 22 }, () => at(newSlug(ID_CODE))));
    expect(many.filter(({ status }) => status === 404)).toHaveLength(20);
    // A page: a customer follows a link.
    const page = many.find(({ status }) => status === 429);
    expect([page?.headers.get("Retry-After"), await page?.text()]).toEqual([
      expect.stringMatching(/^\d+$/),
      expect.stringContaining(texts.en.later),
    ]);
    expect((await at("01unknownLink4", "192.0.2.2")).status).toBe(404);
    realTime();
  });

  it("tells customers in their language that it failed, and does not say why", async () => {
    const broken = { prepare: () => expect.fail("the database is down"), batch: () => expect.fail("the database is down") };
    const response = await ask(
      `${SHORT}/01AAAAAAAAAAAA`,
      { headers: { "Accept-Language": "de" } },
      { ...bindings, CELL_1: broken, DIRECTORY: broken },
    );
    expect([response.status, response.headers.get("Content-Language")]).toEqual([503, "de"]);
    const page = await response.text();
    for (const said of [texts.de.failed, texts.de.unharmed, `<a href="">${texts.de.again}</a>`]) expect(page).toContain(said);
    expect(page).not.toContain("the database is down");
  });

  it("shows the same page where its settings are wrong, and logs their names", async () => {
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    for (const [name, value] of [
      ["CHECKOUT_ORIGINS", "http://checkout.example"],
      ["CHECKOUT_ORIGINS", undefined],
      ["BRAND_COLOR", "red"],
      ["LOG_REDIRECTS", "2"],
    ] as const) {
      const response = await ask(`${SHORT}/${SLUG}`, {}, { ...deployed, [name]: value });
      expect([name, response.status]).toEqual([name, 503]);
      expect(await response.text()).toContain(texts.en.failed);
      expect(String(logged.mock.lastCall?.[0])).toContain(name);
    }
  });
});

describe("a target in KV", () => {
  it("is followed to the origins of the settings alone", async () => {
    await SHORT_LINKS.put(SLUG, "acme https://checkout.example/c/1");
    const followed = await ask(`${SHORT}/${SLUG}`, {}, { ...deployed });
    expect([followed.status, followed.headers.get("Location")]).toEqual([302, "https://checkout.example/c/1"]);
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    for (const url of ["https://evil.example/c/1", "https://checkout.example.evil.example/", "http://checkout.example/c/1"]) {
      await SHORT_LINKS.put(SLUG, `acme ${url}`);
      // The database is asked instead, and has the sandbox's address, which these settings do not name.
      const refused = await ask(`${SHORT}/${SLUG}`, {}, { ...deployed });
      expect([url, refused.status, refused.headers.get("Location")]).toEqual([url, 503, null]);
      expect(String(logged.mock.lastCall?.[0])).not.toContain(url);
    }
  });

  it("is followed to the checkout only: another address is not, and D1 says where the link leads", async () => {
    for (const text of ["https://evil.example/pay", `${CHECKOUTS}/without-a-partner`]) {
      await SHORT_LINKS.put(SLUG, text);
      const found = await ask(`${SHORT}/${SLUG}`, {}, { ...bindings, DEPLOYMENT: "local" });
      expect(found.headers.get("Location")).toMatch(/^http:\/\/sandbox\.test:8788\/checkout\//);
    }
  });
});
