import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { barriersOf, inBrowser, openPage, overflowOf, PHONE, SCHEMES, SCREENS, startBrowser } from "./browser.ts";
import { someOf } from "./scale.ts";
import { sharedStack } from "./shared-stack.ts";

const stack = sharedStack();
let browser: Browser;

async function post(url: string, body: object, key: string): Promise<any> {
  const headers = { "Content-Type": "application/json", "X-Partner-Api-Key": key };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

async function operate(path: string, body: object): Promise<any> {
  const headers = { "Content-Type": "application/json", Authorization: "Bearer ops-local", "X-Operator": "Maria" };
  const response = await fetch(`${stack.edge}/ops/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

const pay = (short_url: string, client_reference_id: string) =>
  fetch(`${stack.sandbox}/control/pay`, { method: "POST", body: JSON.stringify({ short_url, client_reference_id }) });

/** A partner that the pages have something to show of. */
beforeAll(async () => {
  browser = await startBrowser();
  await operate("partners", { id: "pages", name: "Pages" });
  const course = { kind: "card", environment: "test", name: "A course", type: "one_time", currency: "USD", unit_amount: 1900 };
  const { id } = await operate("partners/pages/products", course);
  const { product } = await operate(`products/card/${id}/approve`, { first_link: false });
  const { key } = await operate("partners/pages/keys", { label: "shop", permissions: ["product_create", "webhook_config"] });
  await post(`${stack.edge}/register-partner-notifications-webhook`, { test_url: `${stack.sandbox}/inbox/pages` }, key);
  const items = [{ stripe_product_id: product.processor_product_id, unit_amount: 1900, quantity: 1 }];
  const made = await post(`${stack.edge}/create-partner-processor-cart-payment-link`, { items, client_token: "pages-1" }, key);
  expect(made).toMatchObject({ success: true });
  await pay(made.short_url, "order-pages");
});
afterAll(() => browser?.close());

/** A browser of its own, signed in with the shared token. */
async function signedIn(viewport = PHONE, colorScheme: "light" | "dark" = "light", javaScriptEnabled = true): Promise<Page> {
  const page = await openPage(browser, { viewport, colorScheme, javaScriptEnabled });
  await page.goto(`${stack.edge}/ops/`);
  await page.fill("#token", "ops-local");
  await page.fill("#name", "Maria");
  await page.click("main button");
  expect(await page.locator("h1").innerText()).toBe("Overview");
  return page;
}

const PAGES = [
  "/ops/",
  "/ops/pages/partners-list",
  "/ops/pages/partners-show?id=pages",
  "/ops/pages/keys-list?partner=acme",
  "/ops/pages/keys-revoke?key_id=key_a2",
  "/ops/pages/grants-list?partner=acme",
  "/ops/pages/grants-revoke?grant_id=grant_1",
  "/ops/pages/story?q=order-pages",
  "/ops/pages/products-waiting",
  "/ops/pages/products-show?kind=card&id=card_acmeDraft",
  "/ops/pages/products-import",
  "/ops/pages/endpoints-list",
  "/ops/pages/deliveries-list?partner=pages",
  "/ops/pages/ledger-show",
  "/ops/pages/movements-waiting",
  "/ops/pages/movements-assign?id=processor:txn_1",
  "/ops/pages/parked-payments-list",
  "/ops/pages/bank-show",
  "/ops/pages/bank-notifications-waiting",
  "/ops/pages/figures?partner=pages&environment=test",
  "/ops/pages/audit-list",
  "/ops/pages/erase",
  "/ops/pages/nothing",
];

inBrowser.each(SCREENS.flatMap(([name, screen]) => SCHEMES.map((scheme) => [name, scheme, screen] as const)))(
  "on %s, %s: every page fits, complains of nothing, and has nothing that keeps somebody from using it",
  async (_name, scheme, screen) => {
    const page = await signedIn(screen, scheme);
    const complaints: string[] = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type()) && !message.text().includes("404")) complaints.push(message.text());
    });
    for (const path of someOf(PAGES)) {
      await page.goto(stack.edge + path);
      expect([path, await overflowOf(page)]).toEqual([path, 0]);
      for (const details of await page.locator("details").all()) await details.evaluate((element) => element.setAttribute("open", ""));
      expect([path, await barriersOf(page)]).toEqual([path, []]);
    }
    expect(complaints).toEqual([]);
    await page.close();
  },
);

inBrowser("a partner joins by the pages alone, without script: product, approval, key, link, payment and its event", async () => {
  const page = await signedIn(PHONE, "light", false);
  const go = (path: string) => page.goto(`${stack.edge}/ops/pages/${path}`);
  const submit = () => page.click("main form button");
  await go("partners-create");
  await page.fill('main [name="id"]', "by-page");
  await page.fill('main [name="name"]', `<b>By "page"</b>`);
  await submit();
  expect(await page.locator("main").innerText()).toContain(`<b>By "page"</b>`);
  await go("products-create?partner=by-page");
  await page.selectOption('main [name="kind"]', "card");
  await page.selectOption('main [name="environment"]', "test");
  await page.selectOption('main [name="type"]', "one_time");
  await page.selectOption('main [name="currency"]', "USD");
  await page.fill('main [name="name"]', "A course");
  await page.fill('main [name="unit_amount"]', "1900");
  await submit();
  await page.click('a[href^="/ops/pages/products-show"]');
  await page.click("summary:has-text('Approve')");
  await page.click("details[open] button");
  expect(await page.locator("main").innerText()).toContain("approved");
  await go("keys-issue?partner=by-page");
  await page.fill('main [name="label"]', "shop");
  for (const permission of ["balance_view", "product_create", "webhook_config"]) await page.check(`main [value="${permission}"]`);
  await submit();
  const key = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(await page.locator("main").innerText())?.[0] ?? "";
  const listed = await fetch(`${stack.edge}/list-partner-processor-transactions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Partner-Api-Key": key },
    body: "{}",
  });
  expect(await listed.json()).toMatchObject({ success: true, count: 0 });
  await go("products-list?partner=by-page");
  const product = /prod_\w+/.exec(await page.locator("main").innerText())?.[0] ?? "";
  await post(`${stack.edge}/register-partner-notifications-webhook`, { test_url: `${stack.sandbox}/inbox/by-page` }, key);
  const items = [{ stripe_product_id: product, unit_amount: 1900, quantity: 1 }];
  const made = await post(`${stack.edge}/create-partner-processor-cart-payment-link`, { items, client_token: "by-page-1" }, key);
  expect(made).toMatchObject({ success: true });
  await pay(made.short_url, "order-by-page");
  await expect
    .poll(async () => {
      await go("story?q=order-by-page");
      return page.locator("main").innerText();
    })
    .toContain("the receiver took it");
  await go("audit-list?partner=by-page");
  const audit = await page.locator("main").innerText();
  for (const part of ["Maria", "partner.create", "product.approve", "key.issue"]) expect(audit).toContain(part);
  expect(audit).not.toContain(key);
  await page.close();
});

inBrowser("an order is found by the search, and shown as a story", async () => {
  const page = await signedIn();
  await page.fill('[name="q"]', "order-pages");
  await page.click("header search button");
  await expect
    .poll(async () => {
      await page.reload();
      return page.locator("ol.story").innerText();
    })
    .toContain("the receiver took it");
  const [first] = await page.locator("ol.story li").allInnerTexts();
  expect(first).toContain("pages-1");
  await page.close();
});

inBrowser("a list that needs a filter says so, and has the form for it; another filter begins anew", async () => {
  const page = await signedIn();
  for (const path of ["deliveries-list", "audit-list?cursor=x"]) {
    await page.goto(`${stack.edge}/ops/pages/${path}`);
    expect(await page.locator("main .bad").innerText()).toMatch(/^(give \?partner|cursor: must be)/);
    expect(await page.locator("main form button").count()).toBeGreaterThan(0);
  }
  await page.goto(`${stack.edge}/ops/pages/audit-list?limit=1`);
  await page.click("text=Next page");
  expect(await page.locator('main [name="cursor"]').inputValue()).toBe("");
  await page.close();
});

inBrowser("says what is wrong, and asks before what cannot be undone", async () => {
  const page = await signedIn();
  await page.goto(`${stack.edge}/ops/pages/partners-create`);
  await page.fill('main [name="id"]', "Not An Id");
  await page.fill('main [name="name"]', "x");
  await page.click("main form button");
  expect(await page.locator("main .bad").innerText()).toMatch(/^id: must be 2 to 40 characters/);
  await page.goto(`${stack.edge}/ops/pages/keys-revoke?key_id=key_a2`);
  expect(await page.locator('[name="sure"]').getAttribute("required")).not.toBeNull();
  await page.close();
});

inBrowser("lets nobody in without the token, and out again", async () => {
  const page = await openPage(browser, { viewport: PHONE });
  await page.goto(`${stack.edge}/ops/pages/partners-list`);
  expect(page.url()).toBe(`${stack.edge}/ops/login`);
  await page.fill("#token", "wrong");
  await page.fill("#name", "Maria");
  await page.click("main button");
  expect(await page.locator("main .bad").innerText()).toContain("not the operators' token");
  await page.close();

  const inside = await signedIn();
  const [cookie] = await inside.context().cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", path: "/ops" });
  await inside.click("form.leave button");
  await inside.goto(`${stack.edge}/ops/`);
  expect(inside.url()).toBe(`${stack.edge}/ops/login`);
  await inside.context().close();
});
