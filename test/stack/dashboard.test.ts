import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { root } from "../../tools/local/processes.ts";
import { barriersOf, DESK, inBrowser, inBrowserFully, overflowOf, ownBrowser, PHONE, personsBrowser, SCHEMES, SCREENS } from "./browser.ts";
import { sharedStack } from "./shared-stack.ts";

const stack = sharedStack();
const browser = ownBrowser();
let invitation = "";

async function operate(path: string, body?: object): Promise<any> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${localSecrets.OPS_TOKEN}`, "X-Operator": "Maria" };
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const response = await fetch(`${stack.edge}/ops/${path}`, { headers, ...sent });
  return response.json();
}

const pay = (short_url: string, client_reference_id: string) =>
  fetch(`${stack.sandbox}/control/pay`, { method: "POST", body: JSON.stringify({ short_url, client_reference_id }) });

/** Waits until an order is on record: pages ask for it once. */
const recorded = (reference: string) =>
  expect.poll(async () => (await operate(`orders?environment=test&partner=walkers&reference=${reference}`)).data.length).toBe(1);

const RIGHTS = ["product_create", "balance_view", "products_view", "payment_read", "bank_payment", "webhook_config", "owner"];

/** A name that would act if a page took it for HTML. */
const HOSTILE = "Olga <img src=x onerror=alert(1)>";

/** A partner of its own, with one product and one invited owner. */
beforeAll(async () => {
  await operate("partners", { id: "walkers", name: "Walkers" });
  const course = { kind: "card", environment: "test", name: "A course", type: "one_time", currency: "USD", unit_amount: 1900 };
  const { id } = await operate("partners/walkers/products", course);
  await operate(`products/card/${id}/approve`, { first_link: false });
  const person = await operate("partners/walkers/employees", { name: HOSTILE, permissions: RIGHTS });
  invitation = (await operate(`employees/${person.id}/invitation`, {})).url;
});

const device = (viewport = DESK, colorScheme: "light" | "dark" = "light") => personsBrowser(browser, viewport, colorScheme);

async function joinBy(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("button", { name: "Make a passkey and join" }).click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
}

const go = (page: Page, name: string) => page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** What the page's own session answers to a call. */
const askAs = (page: Page, path: string) => page.evaluate(`fetch(${JSON.stringify(path)}).then((answer) => answer.status)`);

inBrowser(
  "a person walks through all of it: invitation, webhook, link, payment, delivery, key, colleague, session, signing out",
  async () => {
    const { context, page } = await device();
    const complaints: string[] = [];
    page.on("pageerror", (thrown) => complaints.push(thrown.message));
    page.on("console", (message) => {
      if (/Content Security Policy|inline script/.test(message.text())) complaints.push(message.text());
    });

    page.on("dialog", (dialog) => complaints.push(dialog.message()));

    await joinBy(page, invitation);
    await page.getByText(`Hello ${HOSTILE}.`).waitFor();
    await page.goto(`${stack.edge}/dashboard?env=test`);
    await page.getByText("1 of 6 done").waitFor();

    // The first webhook, and a test event that its receiver verifies.
    await go(page, "Webhooks");
    await page.getByLabel("URL").fill("not an address");
    await button(page, "Register").click();
    await page.getByText("Must be a URL that starts with http:// or https://").waitFor();
    await page.getByLabel("URL").fill(`${stack.sandbox}/inbox/walkers`);
    await button(page, "Register").click();
    await button(page, "Send test event").click();
    await button(page, "Send it now").click();
    await page.getByText("Your endpoint accepted it (HTTP 200).").waitFor();
    await page.keyboard.press("Escape");
    await button(page, "Show the secret").click();
    await page.getByText(/^whsec_test_/).waitFor();

    // A link for a cart. What is missing is said at its field, and what was typed stays.
    await go(page, "Payment links");
    await page.getByRole("link", { name: "New link" }).first().click();
    await button(page, "Create link").click();
    await page.getByText("Required", { exact: true }).first().waitFor();
    await page.getByRole("combobox", { name: "Product" }).click();
    await page.getByRole("option", { name: /A course/ }).click();
    await button(page, "Create link").click();
    await page.getByText("The link is made. Give it to your customer:").waitFor();
    const shortUrl = (await page.locator("[role=status] .id").first().textContent()) ?? "";
    for (const format of ["SVG", "PNG"]) {
      const saved = page.waitForEvent("download");
      await button(page, `Save QR code as ${format}`).click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe(`qr-${shortUrl.replace(/^.*\//, "")}.${format.toLowerCase()}`);
      const [first] = await readFile(await file.path());
      expect(first).toBe(format === "PNG" ? 0x89 : "<".charCodeAt(0));
    }
    await pay(shortUrl, "order-walk");

    // A product of the partner's own. What is missing is said at its field.
    await go(page, "Products");
    await page.getByRole("link", { name: "New product" }).first().click();
    await button(page, "Submit for review").click();
    await page.getByText("Required", { exact: true }).first().waitFor();
    await page.getByLabel("Name").fill("Walking tour");
    await page.getByLabel("Price").fill("49,90");
    await button(page, "Submit for review").click();
    await page.getByRole("heading", { level: 1, name: "Walking tour" }).waitFor();
    await page.getByText("It is being reviewed. You can still change it.").waitFor();
    await page.getByRole("link", { name: "Change", exact: true }).click();
    expect(await page.getByLabel("Price").inputValue()).toBe("49.90");
    await page.getByLabel("Name").fill("Walking tour of the harbour");
    await button(page, "Submit for review").click();
    await page.getByRole("heading", { level: 1, name: "Walking tour of the harbour" }).waitFor();

    // The search finds it by a part of its name, while it is typed.
    await page.keyboard.press("Control+k");
    await page.getByRole("textbox", { name: "Search" }).fill("harbour");
    await page.getByText(/^Product · \$49\.90 · Walking tour of the harbour$/).click();
    await page.getByRole("heading", { level: 1, name: "Walking tour of the harbour" }).waitFor();

    // Moderation approves what it has read, and the product's first order comes through a link that is made from its page.
    const submitted = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { revision } = await operate(`products/card/${submitted}`);
    await operate(`products/card/${submitted}/approve`, { first_link: false, seen_revision: revision });
    await page.reload();
    await page.getByRole("link", { name: "New link" }).click();
    await button(page, "Create link").click();
    await page.getByText("The link is made. Give it to your customer:").waitFor();
    await pay((await page.locator("[role=status] .id").first().textContent()) ?? "", "order-harbour");
    await recorded("order-harbour");
    await go(page, "Orders");
    await page
      .getByRole("row", { name: /order-harbour/ })
      .getByText("Walking tour of the harbour")
      .waitFor();

    // A link for one product, whose price follows the product until a person types another.
    await page.goto(`${stack.edge}/dashboard/links/new?env=test`);
    await page.getByRole("tab", { name: "One product" }).click();
    await page.getByRole("combobox", { name: "Product" }).click();
    await page.getByRole("option", { name: /A course/ }).click();
    expect(await page.getByRole("textbox", { name: "Price of one" }).inputValue()).toBe("19.00");
    await button(page, "Create link").click();
    await page.getByText("The link is made. Give it to your customer:").waitFor();

    // The payment, its story, and its delivery, which is sent again.
    await recorded("order-walk");
    await go(page, "Orders");
    await page.getByText("order-walk").first().waitFor();
    // Chosen rows are saved alone, and none stays chosen behind another filter.
    await page.getByRole("checkbox", { name: "Choose all rows of this page" }).check();
    await page.getByText("2 chosen").waitFor();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save chosen as CSV" }).click();
    const chosenFile = await saved;
    expect(chosenFile.suggestedFilename()).toBe("orders-test-chosen.csv");
    expect(await readFile(await chosenFile.path(), "utf8")).toContain("order-walk");
    await page.getByLabel("Order reference").fill("order-w");
    await page.getByText("Nothing matches").waitFor();
    await page.getByLabel("Order reference").fill("order-walk");
    await page.getByRole("checkbox", { name: "Choose all rows of this page" }).waitFor();
    expect(await page.getByText(/^\d chosen$/).count()).toBe(0);
    await page
      .getByRole("row", { name: /order-walk/ })
      .getByRole("link", { name: "$19.00" })
      .click();
    await page.getByText(/^Paid \$19\.00 for .* on .* by/).waitFor();
    await page.getByText("the receiver took it").first().waitFor();
    await go(page, "Webhooks");
    // Chosen deliveries are sent again, and the page says of how many that is true.
    // The last one is the test event.
    const delivered = page.getByRole("row", { name: /Processor\.payment\.succeeded/ }).first();
    await delivered.getByRole("checkbox").check();
    await button(page, "Resend 1 chosen").click();
    await page.getByText("1 restarted.").waitFor();
    expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(0);
    await page
      .getByRole("row", { name: /Processor\.payment\.succeeded/ })
      .last()
      .getByRole("link", { name: "Processor.payment.succeeded" })
      .click();
    await button(page, "Resend").click();
    await page.getByText("Your endpoint accepted it (HTTP 200).").waitFor();

    // A key, which works until it is revoked.
    await go(page, "Developers");
    // The list was asked for before the key was made, and is answered after: it must not count as the newest.
    const made = Promise.withResolvers<void>();
    await page.route("**/partner/keys?*", (route) => made.promise.then(() => route.continue().catch(() => undefined)), { times: 1 });
    await page.getByRole("tab", { name: "Keys" }).click();
    await button(page, "New key").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("web shop");
    await dialog.getByLabel("See payments").check();
    await dialog.getByRole("button", { name: "Create key" }).click();
    const key = (await page.locator("[role=status] .id").first().textContent()) ?? "";
    made.resolve();
    const listed = () => fetch(`${stack.edge}/partner/payments`, { headers: { "X-Partner-Api-Key": key } });
    expect((await listed()).status).toBe(200);
    await page
      .getByRole("row", { name: /web shop/ })
      .getByRole("button", { name: "Revoke" })
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Revoked").waitFor();
    expect((await listed()).status).toBe(401);

    // A colleague, who sees only what they may do.
    await go(page, "Team");
    await button(page, "Invite a colleague").click();
    await page.getByRole("dialog").getByLabel("Name").fill("Pavel");
    await page.getByRole("dialog").getByLabel("See links and products").check();
    await page.getByRole("dialog").getByRole("button", { name: "Make the invitation" }).click();
    const link = (await page.locator("[role=status] .id").first().textContent()) ?? "";
    const colleague = await device(PHONE, "dark");
    await joinBy(colleague.page, link);
    await button(colleague.page, "Menu").click();
    const pages = await colleague.page.getByRole("navigation", { name: "Pages" }).getByRole("link").allInnerTexts();
    expect(pages).toEqual(["Home", "Products", "Payment links", "Promotion codes", "Developers"]);
    for (const [path, status] of Object.entries({
      "/partner/links": 200,
      "/partner/payments": 403,
      "/partner/webhooks": 403,
      "/partner/keys": 403,
      "/partner/people": 403,
    }))
      expect([path, await askAs(colleague.page, path)]).toEqual([path, status]);

    // The session ends in the middle of work: what was typed is still there, and the work goes on.
    await page.getByRole("tab", { name: "Sessions" }).click();
    await colleague.page.close();
    await page.getByRole("row", { name: /Pavel/ }).getByRole("button", { name: "End" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "End" }).click();
    await page.getByRole("row", { name: /Pavel/ }).waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "People" }).click();
    await button(page, "Invite a colleague").click();
    await page.getByRole("dialog").getByLabel("Name").fill("Typed before");
    await context.clearCookies();
    await page.getByRole("dialog").getByRole("button", { name: "Make the invitation" }).click();
    await button(page, "Sign in with a passkey").click();
    await page.getByText("Your session has ended").waitFor({ state: "detached" });
    expect(await page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("Typed before");
    await page.getByRole("dialog").getByRole("button", { name: "Make the invitation" }).click();
    await page.getByText("The invitation of Typed before").waitFor();

    // Nothing secret stays in the page, and signing out ends all of it.
    const stored = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])");
    expect(stored).not.toMatch(/whsec_|[0-9a-f]{8}-[0-9a-f]{4}|Olga|Pavel/);
    await button(page, "Your account").click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await button(page, "Sign in with a passkey").waitFor();
    expect(await askAs(page, "/partner/session")).toBe(401);
    await button(page, "Sign in with a passkey").click();
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
    await colleague.context.close();
  },
);

const PAGES = [
  "",
  "/orders",
  "/orders?status=refunded&currency=USD",
  "/orders?tab=disputes",
  "/balance",
  "/balance?tab=movements",
  "/balance?tab=payouts",
  "/find?q=nothing-of-this",
  "/products",
  "/products/new",
  "/products/prod_acmeTestUsd1",
  "/links",
  "/links/new",
  "/links/new?product=prod_acmeTestUsd1",
  "/subscriptions",
  "/promotion-codes",
  "/promotion-codes/new",
  "/ruble-payments",
  "/ruble-payments/new",
  "/webhooks",
  "/webhooks?tab=chat",
  "/developers",
  "/developers?tab=keys",
  "/developers?tab=agents",
  "/developers?tab=samples",
  "/team",
  "/team?tab=sessions",
  "/team?tab=audit",
  "/account",
  "/nothing",
];

inBrowserFully.each(SCREENS.flatMap(([name, screen]) => SCHEMES.map((scheme) => [name, scheme, screen] as const)))(
  "on %s, %s: every page fits, and has nothing that keeps a person from using it",
  async (_name, scheme, screen) => {
    const { context, page } = await device(screen, scheme);
    const { url } = await operate("employees/emp_acme_owner/invitation", {});
    await joinBy(page, url);
    const strangers: string[] = [];
    page.on("request", (request) => {
      if (request.url().startsWith("http") && !request.url().startsWith(stack.edge)) strangers.push(request.url());
    });
    for (const path of PAGES) {
      await page.goto(`${stack.edge}/dashboard${path}${path.includes("?") ? "&" : "?"}env=test`, { waitUntil: "networkidle" });
      expect([path, await barriersOf(page)]).toEqual([path, []]);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
    expect(strangers).toEqual([]);
    await context.close();
  },
);

/** A statement as the Worker answers it, with so many lines. */
const statementOf = (count: number) => ({
  id: "st_printed",
  number: 7,
  month: "2026-10",
  currency: "EUR",
  time_zone: "UTC",
  state: "closed",
  opening: 100,
  payments: 19 * count,
  refunds: 0,
  disputes: 0,
  fees: 0,
  terms: 0,
  payouts: 0,
  closing: 100 + 19 * count,
  closed_at: "2026-11-05T00:03:00.000Z",
  line_count: count,
  lines: Array.from({ length: count }, (_, index) => ({
    id: `processor:txn_${index}`,
    date: "2026-10-20T08:30:00.000Z",
    type: "payment",
    order_id: `pi_${index}`,
    amount: 19,
    fee: 0,
    terms: 0,
    total: 19,
    late: false,
  })),
});

inBrowserFully("a statement prints on A4: its sums and lines on as many pages as they need, without the frame of the page", async () => {
  const { context, page } = await device();
  const { url } = await operate("employees/emp_acme_owner/invitation", {});
  await joinBy(page, url);
  let lines = 0;
  await page.route("**/partner/statements/st_printed*", (route) => route.fulfill({ json: statementOf(lines) }));
  const printed = async (count: number) => {
    lines = count;
    await page.goto(`${stack.edge}/dashboard/balance/statements/st_printed?env=live`, { waitUntil: "networkidle" });
    await page.getByRole("heading", { level: 1, name: /October 2026/ }).waitFor();
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    const sizes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)];
    // A4 is 595 by 842 points, and the browser rounds up.
    for (const [, width, height] of sizes)
      expect([Math.abs(Number(width) - 595) < 2, Math.abs(Number(height) - 842) < 2]).toEqual([true, true]);
    return sizes.length;
  };
  expect(await printed(3)).toBe(1);
  const many = await printed(100);
  expect([many > 1, many < 8]).toEqual([true, true]);
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("navigation", { name: "Pages" }).isVisible()).toBe(false);
  expect(await button(page, "Print").isVisible()).toBe(false);
  expect(await page.getByText("€19.00").first().isVisible()).toBe(true);
  // Between its margins a sheet is narrower than a window in which a table leaves columns out.
  await page.setViewportSize({ width: 680, height: 960 });
  const table = page.getByRole("region", { name: "Lines" });
  for (const header of ["Date", "Kind", "Order", "Amount", "Fee", "Our fee", "Total"])
    expect([header, await table.getByRole("columnheader", { name: header, exact: true }).isVisible()]).toEqual([header, true]);
  // What a phone shows below a row, and what leads elsewhere, has no place on paper.
  for (const left of [".below", ".back"]) expect([left, await page.locator(left).first().isVisible()]).toEqual([left, false]);
  const cutOff = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector("section[aria-label=Lines]"))`;
  expect(await page.evaluate(cutOff)).toBe(0);
  await context.close();
});

inBrowser("an invitation that was accepted, and one that is cut off, say what to do", async () => {
  const { context, page } = await device(PHONE);
  await page.goto(`${stack.edge}/dashboard/invitation#0000`);
  await page.getByRole("heading", { name: "This invitation is not open" }).waitFor();
  await page.goto(`${stack.edge}/dashboard/invitation`);
  await page.getByText("The link is incomplete").waitFor();
  await context.close();
});

inBrowser("before its scripts and style sheets are there, a page shows where its parts will be", async () => {
  const { context, page } = await device(PHONE);
  // A line on which no file arrives.
  await page.route("**/dashboard/assets/**", () => undefined);
  for (const path of ["/dashboard", "/ops/console/"]) {
    await page.goto(`${stack.edge}${path}`, { waitUntil: "commit" });
    await page.waitForFunction(() => performance.getEntriesByType("paint").some(({ name }) => name === "first-paint"));
    const box = await page.locator(".waiting .first").boundingBox();
    expect([path, (box?.width ?? 0) > 200, (box?.height ?? 0) > 100]).toEqual([path, true, true]);
  }
  await context.close();
});

describe("what a browser gets", () => {
  const assets = join(root, "public", "dashboard", "assets");
  const compressed = async (file: string) => gzipSync(await readFile(join(assets, file))).length;

  it("loads at most 250 KB of script at first, and no inline script", async () => {
    const html = await readFile(join(root, "public", "dashboard", "index.html"), "utf8");
    const scripts = [...html.matchAll(/(?:src|href)="\/dashboard\/assets\/([^"]+\.js)"/g)].map(([, file = ""]) => file);
    expect(scripts.length).toBeGreaterThan(0);
    const sizes = await Promise.all(scripts.map(compressed));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  });

  it("has every file by its content's name, and for ever", async () => {
    for (const file of (await readdir(assets)).slice(0, 5)) {
      const answer = await fetch(`${stack.edge}/dashboard/assets/${file}`);
      expect([file, answer.status, answer.headers.get("Cache-Control")]).toEqual([file, 200, "public, max-age=31536000, immutable"]);
      await answer.arrayBuffer();
    }
  });
});
