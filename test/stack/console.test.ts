import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { barriersOf, DESK, inBrowser, inBrowserFully, openPage, overflowOf, ownBrowser, PHONE, SCHEMES, SCREENS } from "./browser.ts";
import { sharedStack } from "./shared-stack.ts";

const stack = sharedStack();
const browser = ownBrowser();
let shown: Readonly<Record<string, string>> = {};

async function post(url: string, body: object, key: string): Promise<any> {
  const headers = { "Content-Type": "application/json", "X-Partner-Api-Key": key };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

const asMaria = { "Content-Type": "application/json", Authorization: "Bearer ops-local", "X-Operator": "Maria" };

async function operate(path: string, body?: object): Promise<any> {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return (await fetch(`${stack.edge}/ops/${path}`, { headers: asMaria, ...sent })).json();
}

/** The first row of a list, as soon as it has one. */
async function firstOf(path: string): Promise<any> {
  for (;;) {
    const [first] = (await operate(path)).data;
    if (first !== undefined) return first;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const pay = (short_url: string, client_reference_id: string) =>
  fetch(`${stack.sandbox}/control/pay`, { method: "POST", body: JSON.stringify({ short_url, client_reference_id }) });

const course = (name: string) => ({ kind: "card", environment: "test", name, type: "one_time", currency: "USD", unit_amount: 1900 });

/** A partner that the pages have something to show of. */
beforeAll(async () => {
  await operate("partners", { id: "pages", name: "Pages" });
  const { id } = await operate("partners/pages/products", course("A course"));
  const { product } = await operate(`products/card/${id}/approve`, { first_link: false });
  const { key } = await operate("partners/pages/keys", { label: "shop", permissions: ["product_create", "webhook_config"] });
  await post(`${stack.edge}/register-partner-notifications-webhook`, { test_url: `${stack.sandbox}/inbox/pages` }, key);
  const items = [{ stripe_product_id: product.processor_product_id, unit_amount: 1900, quantity: 1 }];
  const made = await post(`${stack.edge}/create-partner-processor-cart-payment-link`, { items, client_token: "pages-1" }, key);
  expect(made).toMatchObject({ success: true });
  await pay(made.short_url, "order-pages");
  const payment = await firstOf("payments?environment=test&partner=pages");
  const event = await firstOf("deliveries?environment=test&partner=pages&state=succeeded");
  shown = { product: id, payment: payment.payment_intent_id, link: payment.payment_link_id, event: event.event };
});

/** A browser of its own, signed in with the shared token. */
async function signedIn(viewport = DESK, colorScheme: "light" | "dark" = "light", path = "/"): Promise<Page> {
  const page = await openPage(browser, { viewport, colorScheme });
  await page.goto(`${stack.edge}/ops/console${path}`);
  await page.getByRole("textbox", { name: "Operators' token" }).fill("ops-local");
  await page.getByLabel("Your name").fill("Maria");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Pages" }).waitFor({ state: "attached" });
  return page;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");
const inDialog = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true });

const PAGES = () => [
  "/",
  "/find?q=order-pages",
  "/partners",
  ...["overview", "people", "keys", "products", "payments", "money", "links", "webhooks", "requests", "agents", "audit"].map(
    (tab) => `/partners/pages?tab=${tab}&env=test`,
  ),
  "/moderation",
  "/products",
  "/products?moderation=decided&partner=pages",
  "/books?month=2026-10",
  "/books?month=2026-10&compare=yes",
  "/platform",
  "/payouts",
  `/products/card/${shown.product}`,
  "/import",
  "/orders?env=test",
  `/orders/${shown.payment}`,
  "/disputes?env=test",
  "/movements?env=test",
  "/links?env=test",
  `/links/${shown.link}`,
  "/promotion-codes",
  "/subscriptions",
  "/orders",
  "/orders/01none",
  "/events?env=test",
  `/events/${shown.event}`,
  "/webhooks",
  "/ledger",
  "/ledger?tab=parked",
  "/ledger?tab=gone",
  "/work",
  "/requests",
  "/refused-keys",
  "/ledger?tab=compared",
  "/bank",
  "/short-links",
  "/audit",
  "/cells",
  "/operators",
  "/erase",
  "/calls/products-create",
  "/nothing",
];

inBrowserFully.each(SCREENS.flatMap(([name, screen]) => SCHEMES.map((scheme) => [name, scheme, screen] as const)))(
  "on %s, %s: every page fits, complains of nothing, and has nothing that keeps a person from using it",
  async (_name, scheme, screen) => {
    const page = await signedIn(screen, scheme);
    const complaints: string[] = [];
    page.on("pageerror", (thrown) => complaints.push(thrown.message));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !message.text().includes("404")) complaints.push(message.text());
    });
    for (const path of PAGES()) {
      await page.goto(`${stack.edge}/ops/console${path}`, { waitUntil: "networkidle" });
      expect([path, await barriersOf(page)]).toEqual([path, []]);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
    }
    expect(complaints).toEqual([]);
    await page.close();
  },
);

inBrowser("a partner joins by the pages alone: product, approval, key, link, payment, event and audit log", async () => {
  const page = await signedIn();
  await page.getByRole("link", { name: "Partners", exact: true }).click();
  await button(page, "Add partner").click();
  // A refusal stands at its field, and what was typed stays.
  await dialog(page).getByLabel("Id").fill("Not An Id");
  await dialog(page).getByLabel("Name").fill(`<b>By "page"</b>`);
  await inDialog(page, "Add partner").click();
  await dialog(page).getByText("must be 2 to 40 characters of a-z, 0-9 and -").waitFor();
  expect(await dialog(page).getByLabel("Name").inputValue()).toBe(`<b>By "page"</b>`);
  await dialog(page).getByLabel("Id").fill("by-page");
  await inDialog(page, "Add partner").click();
  await page.getByRole("heading", { level: 1, name: `<b>By "page"</b>` }).waitFor();

  await page.getByRole("link", { name: "Add a product, and approve it" }).click();
  await button(page, "Add product").click();
  await dialog(page).getByLabel("Name").fill("A course");
  await dialog(page).getByLabel("Price").fill("19");
  await inDialog(page, "Add product").click();
  await page.getByRole("cell", { name: "$19.00" }).waitFor();
  await button(page, "Approve").click();
  await inDialog(page, "Approve").click();
  // What it made is shown until the dialog is closed.
  await dialog(page).getByText("short_url").or(dialog(page).getByText(/Short/i)).first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("table").getByText("Approved", { exact: true }).waitFor();

  await page.getByRole("tab", { name: "Keys" }).click();
  await button(page, "Issue key").click();
  await dialog(page).getByLabel("Label").fill("shop");
  for (const permission of ["balance view", "product create", "webhook config"]) await dialog(page).getByLabel(permission).check();
  await inDialog(page, "Issue key").click();
  const key = (await dialog(page).locator(".id").textContent()) ?? "";
  // A reload makes no second key, and shows the first one no more.
  await page.reload();
  await page.getByRole("cell", { name: /shop/ }).waitFor();
  expect((await operate("partners/by-page/keys")).data).toHaveLength(1);
  expect(await page.getByText(key).count()).toBe(0);

  const [{ processor_product_id }] = (await operate("partners/by-page/products")).data;
  await post(`${stack.edge}/register-partner-notifications-webhook`, { test_url: `${stack.sandbox}/inbox/by-page` }, key);
  const items = [{ stripe_product_id: processor_product_id, unit_amount: 1900, quantity: 1 }];
  const made = await post(`${stack.edge}/create-partner-processor-cart-payment-link`, { items, client_token: "by-page-1" }, key);
  expect(made).toMatchObject({ success: true });
  await pay(made.short_url, "order-by-page");
  await firstOf("deliveries?environment=test&partner=by-page&state=succeeded");
  await page.goto(`${stack.edge}/ops/console/find?q=order-by-page`);
  await page
    .getByText(/the receiver took it/)
    .first()
    .waitFor();
  // The story leads to its objects, and says what a repeat would get. Of the events, only those of ours have pages.
  const events = await page.getByRole("link", { name: /^evt_/ }).allTextContents();
  expect(events.length).toBeGreaterThan(0);
  for (const event of events) expect(event).toMatch(/^evt_[0-9a-f]{32}$/);
  await button(page, "What would a repeat get?").first().click();
  await page
    .getByText(/gives the same result/)
    .first()
    .waitFor();
  await page
    .getByRole("link", { name: made.processor_payment_link_id ?? made.payment_link_id })
    .first()
    .click();
  await page.waitForURL(/\/links\/plink_/);
  await button(page, "Disable link").click();
  await inDialog(page, "Disable link").click();
  await button(page, "Enable link").first().waitFor();

  await page.goto(`${stack.edge}/ops/console/partners/by-page?tab=audit`);
  const audit = page.getByRole("table", { name: "Audit log" });
  await audit.getByText("Maria made a key").waitFor();
  const text = (await audit.textContent()) ?? "";
  for (const part of ["Maria approved a product", "Maria added the partner", "Maria made a key"]) expect(text).toContain(part);
  expect(text).not.toContain(key);
  await page.close();
});

inBrowserFully("products are decided many at once, by keys too, and a decision can be undone", async () => {
  await operate("partners", { id: "queue", name: "Queue" });
  const names = Array.from({ length: 12 }, (_, index) => `Lesson ${index + 1}`);
  for (const name of names) await operate("partners/queue/products", course(name));
  const stateOf = async () => {
    const { data } = await operate("partners/queue/products?limit=100");
    return Map.groupBy<string, any>(data, ({ moderation }) => moderation);
  };
  const page = await signedIn(DESK, "light", "/moderation");
  const rows = page.getByRole("group", { name: /^Lesson/ });
  await rows.nth(11).waitFor();
  await page.clock.install();
  for (const name of names) await page.getByLabel(`Select ${name}`, { exact: true }).check();
  await button(page, "Approve 12").click();
  await button(page, "Undo").click();
  expect(await rows.count()).toBe(12);
  expect((await stateOf()).get("in_review")).toHaveLength(12);

  // One is rejected by keys, with a reason; the rest is approved at once.
  await page.getByLabel("Select Lesson 3", { exact: true }).check();
  await page.keyboard.press("r");
  await dialog(page).getByLabel("Why, in words that the partner reads").fill("The name does not say what is sold.");
  await inDialog(page, "Reject").click();
  await expect.poll(() => rows.count()).toBe(11);
  await page.getByLabel("Select all of this page").check();
  const others = (await page.getByRole("group").count()) - (await rows.count());
  await button(page, `Approve ${11 + others}`).click();
  // The time to undo passes at once.
  await page.clock.runFor(10_000);
  await expect.poll(async () => (await stateOf()).get("approved")?.length, { timeout: 60_000 }).toBe(11);
  const { data } = await operate("partners/queue/products?limit=100");
  expect(data.find(({ name }: { name: string }) => name === "Lesson 3")).toMatchObject({
    moderation: "rejected",
    rejection_reason: "The name does not say what is sold.",
  });
  await page.close();
});

inBrowserFully("a file is imported once its faults are corrected, with the prices as people write them", async () => {
  await operate("partners", { id: "filed", name: "Filed" });
  const page = await signedIn(DESK, "light", "/import");
  const csv = (price: string) =>
    `kind;partner_id;environment;name;type;currency;unit_amount\ncard;filed;test;Kurs;one_time;USD;19,99\ncard;filed;test;Buch;one_time;USD;${price}\n`;
  const choose = async (text: string) => {
    await page.locator("input[type=file]").setInputFiles({ name: "products.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.getByRole("radio", { name: "19.99" }).check();
    await button(page, "Check the file").click();
  };
  await choose(csv("cheap"));
  const faults = page.getByRole("table", { name: /1 faults/ });
  await faults.getByRole("cell", { name: "unit_amount", exact: true }).waitFor();
  expect(await faults.getByRole("cell", { name: "3", exact: true }).count()).toBe(1);
  expect((await operate("partners/filed/products")).data).toEqual([]);
  await choose(csv("1 234,50"));
  await page.getByRole("cell", { name: /1234\.5|1,234\.50/ }).waitFor();
  await button(page, "Import 2 products").click();
  await page.getByText("2 products were imported").waitFor();
  const { data } = await operate("partners/filed/products");
  expect(data.map(({ unit_amount }: { unit_amount: number }) => unit_amount).toSorted()).toEqual([123450, 1999]);
  await page.close();
});

inBrowserFully("a partner's dashboard is seen as its owner sees it, nothing can be changed there, and the audit log has it", async () => {
  const page = await signedIn(PHONE, "light", "/partners/pages");
  await button(page, "See its dashboard").click();
  await page.getByText("You see the dashboard of Pages as its owner does").waitFor();
  expect(page.url()).toContain("/ops/console/view/pages");
  await page.goto(`${stack.edge}/ops/console/view/pages/webhooks?env=test`);
  await button(page, "Show the secret").click();
  await page.getByText("You see this dashboard as an operator: nothing can be changed here.").first().waitFor();
  expect(await barriersOf(page)).toEqual([]);
  const [entry] = (await operate("audit?partner=pages")).data;
  expect(entry).toMatchObject({ action: "partner.view", actor: "Maria", target: "pages" });
  await page.close();
});

inBrowserFully("what was typed stays while a session ends and begins again", async () => {
  const page = await signedIn(DESK, "light", "/erase");
  await page.getByLabel("Buyer's e-mail address").fill("buyer@example.com");
  await page.getByLabel("I understand that this cannot be undone").check();
  await page.context().clearCookies();
  await button(page, "Erase").click();
  await dialog(page).getByRole("textbox", { name: "Operators' token" }).fill("wrong");
  await dialog(page).getByLabel("Your name").fill("Maria");
  await button(page, "Sign in").click();
  await dialog(page).getByText("This is not the operators' token.").waitFor();
  await dialog(page).getByRole("textbox", { name: "Operators' token" }).fill("ops-local");
  await button(page, "Sign in").click();
  await button(page, "Erase").click();
  await page.getByText(/^Erased: 0 payments/).waitFor();
  await page.getByText("The card processor.").waitFor();
  expect(await page.getByLabel("Buyer's e-mail address").inputValue()).toBe("buyer@example.com");
  await page.close();
});

inBrowserFully("says that a sign-in with Cloudflare Access has ended, and goes on after another, with what was typed", async () => {
  const page = await signedIn(DESK, "light", "/erase");
  // Access stands before the Worker: it names the person, and leads whoever is not signed in to another origin.
  const session = await (await page.request.get(`${stack.edge}/ops/session`)).json();
  await page.route("**/ops/session", (route) => route.fulfill({ json: { ...session, by: "access" } }));
  let isSignedIn = false;
  await page.route("**/ops/erase", (route) =>
    isSignedIn ? route.continue() : route.fulfill({ status: 302, headers: { Location: "https://team.cloudflareaccess.com/login" } }),
  );
  await page.reload();
  await page.getByLabel("Buyer's e-mail address").fill("buyer@example.com");
  await page.getByLabel("I understand that this cannot be undone").check();
  await button(page, "Erase").click();
  await dialog(page).getByText("Your sign-in with Cloudflare Access has ended.").waitFor();
  expect(await dialog(page).getByRole("link", { name: "Sign in in another tab" }).getAttribute("href")).toBe("/ops/console/");
  expect(await barriersOf(page)).toEqual([]);
  isSignedIn = true;
  await inDialog(page, "Go on").click();
  await button(page, "Erase").click();
  await page.getByText(/^Erased: 0 payments/).waitFor();
  expect(await page.getByLabel("Buyer's e-mail address").inputValue()).toBe("buyer@example.com");
  await page.close();
});

inBrowser("lets nobody in without the token, and out again", async () => {
  const page = await signedIn();
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/" });
  await page.getByRole("button", { name: "Your account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Operators' console" }).waitFor();
  await page.goto(`${stack.edge}/ops/console/partners`);
  await page.getByRole("heading", { name: "Operators' console" }).waitFor();
  await page.close();
});
