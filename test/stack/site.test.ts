import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { codesOf } from "../../src/http/failures.ts";
import { confirmationCodes } from "../../src/http/mcp/confirm.ts";
import { creations } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import { chromiumPath } from "../../tools/local/chromium.ts";
import { PAGES } from "../../tools/site/pages.ts";
import { barriersOf, overflowOf, ownBrowser, SCREENS, visit } from "./browser.ts";
import { addresses, description, operationsIn } from "./description.ts";
import { isFull } from "./scale.ts";
import { sharedStack } from "./shared-stack.ts";

const stack = sharedStack();

const get = (path: string) => fetch(`${stack.edge}${path}`, { redirect: "manual" });
const text = async (path: string) => (await get(path)).text();

/** Every error code that an operation can answer with. */
const codes = new Set([...operations, ...creations].flatMap(codesOf));
/** Those that only agents get. */
const ofAgents = confirmationCodes;

it("/openapi.json is what the definitions say, readable from anywhere and not to be written", async () => {
  const response = await get("/openapi.json");
  expect(response.headers.get("Content-Type")).toContain("application/json");
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const described = JSON.stringify(description)
    .replaceAll("http://localhost:8787", stack.edge)
    .replaceAll("http://localhost:8788", stack.sandbox);
  expect(operationsIn(await response.json())).toEqual(JSON.parse(described));
  const refused = await fetch(`${stack.edge}/openapi.json`, { method: "POST" });
  expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
});

it("samples have the host that was asked", async () => {
  expect(await text("/docs/payment-links.md")).toContain(`${stack.edge}/create-partner-processor-cart-payment-link`);
  const page = await get("/docs/webhooks");
  const html = await page.text();
  expect(html).toContain(`${stack.edge}/register-partner-notifications-webhook`);
  expect(html).toContain(`${stack.sandbox}/inbox/acme`);
  expect(html).not.toMatch(/localhost:878[78]/);
  expect([page.headers.get("ETag"), page.headers.get("Cache-Control")]).toEqual([null, "public, max-age=300"]);
});

it("agents' hosts find skills, each as its digest in the index says", async () => {
  const { skills } = (await (await get("/.well-known/agent-skills/index.json")).json()) as {
    skills: { name: string; url: string; digest: string; description: string }[];
  };
  expect(skills.map(({ name }) => name)).toEqual(["receive-events", "reconcile", "sell-by-links"]);
  for (const { name, url, digest, description: words } of skills) {
    const skill = await text(url);
    expect(skill).toMatch(new RegExp(`^---\\nname: ${name}\\n`));
    expect(digest).toBe(`sha256:${createHash("sha256").update(skill).digest("hex")}`);
    expect([words.length > 0, words.length <= 1024]).toEqual([true, true]);
    for (const [, page = ""] of skill.matchAll(/SERVICE(\/(?:docs|packages)\/[\w.-]*\w)/g))
      expect([page, (await get(page)).status]).toEqual([page, 200]);
  }
});

it("the changelog is a feed too, and all pages are one file", async () => {
  const feed = await text("/docs/changelog.xml");
  const page = await text("/docs/changelog");
  const days = [...feed.matchAll(/<title>(\d{4}-\d\d-\d\d)<\/title>/g)].map(([, day = ""]) => day);
  expect(days.length).toBeGreaterThan(5);
  expect(days).toEqual([...days].toSorted().toReversed());
  for (const day of days) expect(page).toContain(`id="${day}"`);
  expect(feed).toContain(`<id>${stack.edge}/docs/changelog#${days[0]}</id>`);
  expect(feed).not.toMatch(/&(?!amp;|lt;|gt;)/);
  const whole = await text("/llms-full.txt");
  for (const title of ["# Quickstart", "# Webhooks", "# Operations (second generation)"]) expect(whole).toContain(title);
});

it("what has a digest in its name is kept for ever, and nothing else", async () => {
  const html = await text("/docs/quickstart");
  const [, hashed = ""] = /src="(\/docs\/assets\/app\.[^"]+)"/.exec(html) ?? [];
  expect((await get(hashed)).headers.get("Cache-Control")).toContain("immutable");
  for (const path of ["/robots.txt"]) {
    const response = await get(path);
    const etag = response.headers.get("ETag") ?? "none";
    expect([path, response.headers.get("Cache-Control")]).toEqual([path, expect.not.stringContaining("immutable")]);
    const again = await fetch(`${stack.edge}${path}`, { headers: { "If-None-Match": etag } });
    expect([path, again.status]).toEqual([path, 304]);
  }
  expect((await fetch(`${stack.edge}/docs/quickstart`, { method: "HEAD" })).status).toBe(200);
});

describe("the pages", () => {
  it("are there as HTML and as Markdown, guarded, and listed in llms.txt", async () => {
    const listed = await text("/llms.txt");
    for (const { name } of PAGES) {
      const page = await get(`/docs/${name}`);
      expect([name, page.status, page.headers.get("Content-Type")]).toEqual([name, 200, "text/html; charset=utf-8"]);
      expect(page.headers.get("Content-Security-Policy")?.replace(/(connect-src \S+\/docs\/)[^;]*/, "$1")).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src ${stack.edge}/docs/; worker-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      );
      expect([page.headers.get("X-Frame-Options"), page.headers.get("X-Content-Type-Options")]).toEqual(["DENY", "nosniff"]);
      expect((await get(`/docs/${name}.md`)).status).toBe(200);
      expect(listed).toContain(`](/docs/${name}.md)`);
    }
    for (const [, address = ""] of listed.matchAll(/\]\((\/[^)]+)\)/g))
      expect([address, (await get(address)).status]).toEqual([address, 200]);
    expect(await text("/robots.txt")).toContain("Allow: /docs");
  });

  it("have a plain answer for an address that is none, and for writing", async () => {
    const missing = await get("/docs/nonsense");
    expect([missing.status, await missing.json()]).toEqual([404, { success: false, error: expect.stringContaining("/docs") }]);
    const page = await fetch(`${stack.edge}/docs/nonsense`, { headers: { Accept: "text/html" } });
    expect([page.status, page.headers.get("Content-Type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect((await fetch(`${stack.edge}/docs/quickstart`, { method: "POST" })).status).toBe(405);
  });

  it("lead only to what is there, to the very heading", async () => {
    const pages = new Map<string, string>(
      await Promise.all(PAGES.map(async ({ name }) => [`/docs/${name}`, await text(`/docs/${name}`)] as const)),
    );
    const others = await Promise.all(["/docs"].map(async (name) => [name, await text(name)] as const));
    for (const [path, html] of [...pages, ...others]) {
      for (const [, address = ""] of html.matchAll(/href="([^"]+)"/g)) {
        if (/^(https?:|data:)/.test(address)) continue;
        const { pathname: target, hash } = new URL(address, stack.edge + path);
        const anchor = hash === "" ? undefined : decodeURIComponent(hash.slice(1));
        const page = target === path ? html : pages.get(target);
        if (anchor === undefined)
          expect([path, address, page !== undefined || (await fetch(`${stack.edge}${target}`)).ok]).toEqual([path, address, true]);
        else expect([path, address, page?.includes(`id="${anchor}"`)]).toEqual([path, address, true]);
      }
    }
  });

  it("explain every error code by cause, cure and whether to repeat", async () => {
    const sections = (await text("/docs/errors")).split(/<h3 id="/).slice(1);
    expect(sections.map((section) => section.slice(0, section.indexOf('"'))).toSorted()).toEqual([...codes, ...ofAgents].toSorted());
    for (const section of sections) expect(section).toMatch(/<strong>Cause:.*<strong>Cure:.*<strong>Repeat:/s);
  });
});

describe.runIf(chromiumPath !== undefined)("in a browser", () => {
  const browser = ownBrowser();

  describe.each(SCREENS)("on %s", (_where, size) => {
    it.each(isFull ? ["/docs", "/docs/nonsense", ...PAGES.map(({ name }) => `/docs/${name}`)] : ["/docs/webhooks"])(
      "%s asks nobody else, complains of nothing, takes at most 200 KB, fits, and keeps nobody out, light and dark",
      async (path) => {
        const { page, strangers, complaints, bytes } = await visit(browser, `${stack.edge}${path}`, size);
        expect([path, (await bytes()) < 200 * 1024]).toEqual([path, true]);
        const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
        const [light, lightOverflow] = [await background(), await overflowOf(page)];
        const lightBarriers = isFull ? await barriersOf(page) : [];
        await page.emulateMedia({ colorScheme: "dark" });
        await expect.poll(background).not.toBe(light);
        // The browser says of a page that is none that it is none.
        const said = complaints.filter((line) => path !== "/docs/nonsense" || !line.includes("404"));
        expect([path, strangers, said, lightOverflow, await overflowOf(page)]).toEqual([path, [], [], 0, 0]);
        expect([path, lightBarriers, await barriersOf(page)]).toEqual([path, [], []]);
        await page.close();
      },
    );
  });

  it("the search finds a word of a page, and leads there", async () => {
    const { page, complaints } = await visit(browser, `${stack.edge}/docs`);
    await page.getByRole("button", { name: "Search" }).first().click();
    await page.locator("input[type=search], .search-input").first().fill("movementsOf");
    await page.locator(".result[href*=books]").first().click();
    await page.waitForURL(/\/docs\/books/);
    await expect.poll(() => page.locator("main").innerText()).toContain("movementsOf");
    expect(complaints).toEqual([]);
    await page.close();
  });
});

it("the reference has every operation and every call, with its fields, samples and errors", async () => {
  const pages = (await Promise.all(PAGES.filter(({ tag }) => tag !== undefined).map(({ name }) => text(`/docs/${name}.md`)))).join("\n");
  const shown = [...pages.matchAll(/^`(GET|POST|PUT|PATCH|DELETE) ([^`<\s]+)`/gm)].map(([, method, path]) => `${method} ${path}`);
  expect(shown.toSorted()).toEqual(addresses.toSorted());
  for (const code of codes) expect(pages).toContain(`[${code}](errors.md#${code})`);
  expect(pages).toMatch(/- `quantity` \(integer, 1 to 999, required\)/);
  expect(pages).toContain(`curl -X POST '${stack.edge}/create-partner-processor-cart-payment-link'`);
  expect(pages).not.toMatch(/undefined|\[object|any\)/);
});
