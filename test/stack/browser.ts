import { gzipSync } from "node:zlib";
import axe from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, it } from "vitest";
import { chromiumPath } from "../../tools/local/chromium.ts";
import { isFull } from "./scale.ts";

/** A test that needs a browser: skipped where there is none. */
export const inBrowser = it.runIf(chromiumPath !== undefined);

/**
 * One that looks at every page, or walks a way whose rules the tests of the Worker and of the pages hold: in `npm run test:full`. By
 * default, a walk through each application shows that its parts work together.
 */
export const inBrowserFully = it.runIf(chromiumPath !== undefined && isFull);

type Windows = Pick<Browser, "newPage" | "newContext">;

/** A browser for the tests of a file, or of a group. Where there is no Chromium, none is started, and tests without pages run. */
export function ownBrowser(): Windows {
  let browser: Browser | undefined;
  const started = () => {
    if (browser === undefined) throw new Error("there is no Chromium: a test of pages must be one of inBrowser");
    return browser;
  };
  beforeAll(async () => {
    // A container has no place for Chromium's own sandbox; it sees our pages alone.
    if (chromiumPath !== undefined) browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  });
  afterAll(() => browser?.close());
  return { newPage: (options) => started().newPage(options), newContext: (options) => started().newContext(options) };
}

export const DESK = { width: 1280, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** The screens that every page is tried on: the narrow one by default, both with `npm run test:full`. */
export const SCREENS = [["a phone", PHONE] as const, ...(isFull ? [["a desk", DESK] as const] : [])];

/** The colour schemes: both with `npm run test:full`. */
export const SCHEMES = isFull ? (["light", "dark"] as const) : (["dark"] as const);

/** A person's own browser, with a device that makes passkeys and never asks. */
export async function personsBrowser(browser: Windows, viewport = DESK, colorScheme: "light" | "dark" = "light") {
  const context = await browser.newContext({ viewport, colorScheme, locale: "en-GB", timezoneId: "Europe/Berlin" });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  const cdp = await context.newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page };
}

interface Visit {
  readonly page: Page;
  /** Requests that went anywhere but to the page's own host. */
  readonly strangers: string[];
  /** What the page complained of, its security policy's refusals included. */
  readonly complaints: string[];
  /** Bytes of all that it needed, compressed. */
  readonly bytes: () => Promise<number>;
}

/** A page in a context of its own: with nothing that another one has stored. */
export async function openPage(browser: Windows, options: BrowserContextOptions): Promise<Page> {
  const page = await browser.newPage(options);
  // Reached by what hangs only.
  page.setDefaultTimeout(120_000);
  return page;
}

/** Opens a page as it would look on such a screen, and listens to what it asks for and complains of. */
export async function visit(browser: Windows, url: string, viewport = DESK, colorScheme: "light" | "dark" = "light"): Promise<Visit> {
  const page = await openPage(browser, { viewport, colorScheme });
  const strangers: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const asked = new URL(request.url());
    if (asked.protocol.startsWith("http") && asked.host !== new URL(url).host) strangers.push(request.url());
  });
  const bodies: Promise<Buffer>[] = [];
  // What is still on its way when the page is closed was not needed to show it.
  page.on("response", (response) => void bodies.push(response.body().catch(() => Buffer.alloc(0))));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", (thrown) => complaints.push(thrown.message));
  await page.goto(url, { waitUntil: "networkidle" });
  const bytes = async () => (await Promise.all(bodies)).reduce((sum, body) => sum + gzipSync(body).length, 0);
  return { page, strangers, complaints, bytes };
}

/** By how many pixels a page is wider than its window: a phone's reader would have to push it about. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - window.innerWidth") as Promise<number>;
}

/** What on a page would keep somebody from using it, by axe's rules. */
export async function barriersOf(page: Page): Promise<string[]> {
  // A quiet network is no sign that a slow machine has drawn the page.
  await page.locator("h1").first().waitFor();
  // A colour on its way from one scheme to the other is none that people read.
  await page.evaluate("Promise.allSettled(document.getAnimations().map(({ finished }) => finished)).then(() => undefined)");
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate("axe.run()")) as axe.AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
