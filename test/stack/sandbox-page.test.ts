import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { languages, texts } from "../../src/http/short-domain/texts.ts";
import { chromiumPath } from "../../tools/local/chromium.ts";
import { barriersOf, DESK, inBrowserFully, openPage, overflowOf, ownBrowser, PHONE, SCHEMES, SCREENS, visit } from "./browser.ts";
import { ownStack } from "./own-stack.ts";
import { isFull } from "./scale.ts";

const KEY = "a0000000-0000-4000-8000-000000000001";
const SIGNING_SECRET = z.object({ registered: z.tuple([z.object({ signing_secret: z.string() })]) });

/** What a person sees of the sandbox, and does on it, in a browser. */
describe.runIf(chromiumPath !== undefined)("the sandbox's start page", () => {
  const stack = ownStack();
  const browser = ownBrowser();
  let secret = "";

  const call = async (operation: string, body: object) => {
    const response = await fetch(`${stack.edge}/${operation}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Partner-Api-Key": KEY },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const cart = (product: string) =>
    call("create-partner-processor-cart-payment-link", {
      items: [{ stripe_product_id: product, unit_amount: 1900, quantity: 1 }],
      client_token: crypto.randomUUID(),
    });

  const list = (reference: string) => call("list-partner-processor-transactions", { client_reference_id: reference });

  beforeAll(async () => {
    const registered = await call("register-partner-notifications-webhook", { test_url: `${stack.sandbox}/inbox/acme` });
    secret = SIGNING_SECRET.parse(registered).registered[0].signing_secret;
    await cart("prod_acmeTestUsd1");
    await cart("prod_acmeTestMonthly");
    await call("create-partner-bank-cart-payment", {
      items: [{ product_id: 1001, quantity: 1 }],
      customer_phone: "+79031234567",
      environment: "test",
    });
  });

  /** An order by words of its story: a product's name, an id, a status. */
  const orderOf = (page: Page, words: string) => page.locator("#orders article", { hasText: words });
  const press = (page: Page, words: string, label: string) =>
    orderOf(page, words).getByRole("button", { name: label, exact: true }).first().click();
  const see = (page: Page, words: string, said: string) => orderOf(page, words).filter({ hasText: said }).first().waitFor();

  const CART = "Acme Test USD 1";
  const MONTHLY = "Acme Test Monthly × 1";
  const BANK = "Товар 1001";

  it("lets a person pay, refund, dispute, win, renew, end and pay at the bank, and tells each order's story with its events", async () => {
    const { page, strangers, complaints } = await visit(browser, stack.sandbox, DESK);
    await page.evaluate("window.notReloaded = true");
    await press(page, CART, "Pay");
    await see(page, CART, "Checkout: complete, paid");
    await see(page, CART, "Processor.payment.succeeded");
    await press(page, CART, "Refund");
    await see(page, CART, "Refund of 19.00 USD: succeeded");
    await see(page, CART, "Processor.refund.succeeded");

    await press(page, MONTHLY, "Pay");
    await see(page, MONTHLY, "active, renews");
    await see(page, MONTHLY, "Processor.subscription.started");
    await press(page, MONTHLY, "Renew");
    await orderOf(page, MONTHLY).locator("li", { hasText: "Payment of 19.00 USD" }).nth(1).waitFor();
    await press(page, MONTHLY, "End at period end");
    await see(page, MONTHLY, "active, ends 20");
    await press(page, MONTHLY, "End now");
    await see(page, MONTHLY, "Processor.subscription.ended");

    await press(page, CART, "Pay slowly");
    await press(page, CART, "Let it fail");
    await see(page, CART, "Processor.payment.failed");
    await press(page, CART, "Decline");
    await see(page, CART, "Checkout: open, unpaid");
    await press(page, CART, "Pay");
    await press(page, CART, "Dispute");
    await press(page, CART, "Win");
    await see(page, CART, "Dispute of 19.00 USD: won");
    await see(page, CART, "Processor.dispute.won");

    await press(page, BANK, "Pay");
    await see(page, BANK, "CONFIRMED");
    await see(page, BANK, "Bank.payment.succeeded");
    for (const path of ["/v2/Init", "/v1/payment_links"]) await page.locator("#requests", { hasText: path }).waitFor();
    expect([strangers, complaints, await page.evaluate("window.notReloaded")]).toEqual([[], [], true]);
    await page.close();
  });

  it.runIf(isFull)("shows the orders of a partner, of an environment, or with some words alone", async () => {
    const shown = async (query: string) => {
      const { page } = await visit(browser, `${stack.sandbox}/?${query}`, DESK);
      const titles = await page.locator("#orders article h3").allInnerTexts();
      await page.close();
      return titles;
    };
    expect(await shown("text=товар")).toEqual([BANK]);
    expect(await shown("partner=acme&text=MONTHLY")).toEqual([MONTHLY]);
    expect(await shown("environment=live")).toEqual([]);
    expect(await shown("partner=globex")).toEqual([]);
    expect((await shown("")).length).toBe(3);
  });

  it.runIf(isFull)("takes a promotion code at the checkout, and says why another one takes nothing off", async () => {
    const made = await call("webhook/promotion-code-create", {
      api_key: KEY,
      idempotency_key: "twenty",
      code: "TWENTY",
      percent_off: 20,
      stripe_product_ids: ["prod_acmeTestUsd1"],
    });
    expect(made).toMatchObject({ success: true });
    const link = await call("create-partner-processor-cart-payment-link", {
      items: [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 }],
      allow_promotion_codes: true,
      client_token: "with-a-code",
    });
    const { page, complaints } = await visit(browser, `${stack.sandbox}/checkout/${String(link.payment_link_id)}`, PHONE);
    await page.getByLabel("Promotion code").fill("NONE");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("alert").filter({ hasText: "There is no such promotion code." }).waitFor();
    await page.getByLabel("Promotion code").fill("twenty");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("button", { name: "Pay 15.20 USD" }).click();
    await page.getByRole("heading", { name: "Thank you, you have paid" }).waitFor();
    expect(complaints).toEqual([]);
    await page.goto(stack.sandbox);
    await page.locator("#codes", { hasText: "TWENTY" }).filter({ hasText: "20 %" }).waitFor();
    await see(page, String(link.payment_link_id), "3.80 USD off by a code");
    await see(page, String(link.payment_link_id), "Processor.payment.succeeded");
    await page.close();
  });

  it("leads a customer whose payment was declined back to the same checkout, in the browser's language", async () => {
    const link = await cart("prod_acmeTestUsd1");
    const page = await openPage(browser, { locale: "ru-RU" });
    await page.goto(`${stack.sandbox}/checkout/${String(link.payment_link_id)}?client_reference_id=order-7`);
    await page.getByRole("button", { name: "Отклонить оплату" }).click();
    await page.getByRole("link", { name: "Попробовать ещё раз" }).click();
    await page.getByRole("button", { name: /^Оплатить 19\.00/ }).click();
    await page.getByRole("heading", { name: "Спасибо, оплата прошла" }).waitFor();
    await expect.poll(async () => (await list("order-7")).transactions).toHaveLength(1);
    await page.close();
  });

  it.runIf(isFull)("checks signatures by a secret that it is given, and shows the attempts with the header and the body", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    await page.getByLabel("Check signatures with").fill(secret);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await orderOf(page, BANK).locator("details summary").first().click();
    await see(page, BANK, "verifies");
    await orderOf(page, BANK).locator("details details summary").click();
    expect(await orderOf(page, BANK).innerText()).toMatch(/evt_[0-9a-f]{32}[\s\S]*v1,[0-9a-f]{64}[\s\S]*"ep_product_id": null/);
    await page.close();
  });

  it.runIf(isFull)("keeps what somebody types and has unfolded while it brings itself up to date", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    await orderOf(page, BANK).locator("details summary").first().click();
    await cart("prod_acmeBulk03");
    await orderOf(page, "Acme Bulk 03").waitFor();
    expect(await orderOf(page, BANK).locator("details[open]").count()).toBe(1);
    await page.getByLabel("Check signatures with").pressSequentially("whsec_half");
    await cart("prod_acmeBulk01");
    await orderOf(page, "Acme Bulk 01").waitFor();
    expect(await page.getByLabel("Check signatures with").inputValue()).toBe("whsec_half");
    await page.close();
  });

  it.runIf(isFull)("acts once, on what was meant, whatever arrives meanwhile", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    await press(page, "Acme Bulk 01", "Pay");
    const mine = orderOf(page, "Acme Bulk 01");
    await mine.getByRole("button", { name: "Refund" }).waitFor();
    // The focus stays with the payment that it is on while a newer order comes above it.
    await mine.getByRole("button", { name: "Refund" }).focus();
    await cart("prod_acmeBulk02");
    await expect.poll(() => page.locator("#orders article").first().innerText()).toContain("Acme Bulk 02");
    await page.keyboard.press("Enter");
    await see(page, "Acme Bulk 01", "refunded");

    // A click that takes long is one click, however often it is made and the page brings itself up to date.
    let asked = 0;
    const { promise: held, resolve: releaseBatch } = Promise.withResolvers<void>();
    await page.route("**/act/pay/**", async (route) => {
      asked += 1;
      await held;
      await route.continue();
    });
    const pay = orderOf(page, "Acme Bulk 02").getByRole("button", { name: "Pay", exact: true });
    for (let click = 0; click < 4; click += 1) {
      await pay.click();
      // The page has brought itself up to date.
      await page.waitForResponse((response) => response.request().method() === "GET");
    }
    expect(asked).toBe(1);
    releaseBatch();
    await page.unrouteAll({ behavior: "wait" });

    // One that nobody answers says so.
    await page.route("**/act/**", (route) => route.abort());
    await press(page, "Acme Bulk 03", "Pay");
    await page.locator("#said").waitFor();
    await page.close();
  });

  it.runIf(isFull)("says why something did not work, and what is set to fail by a button", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    await page.evaluate("document.querySelector('#orders form').action = '/act/refund/pi_none'");
    await page.locator("#orders form button").first().click();
    await expect.poll(() => page.locator("#said").innerText()).toContain("No such payment_intent: 'pi_none'");
    await page.getByText("Make something fail").click();
    await page.getByRole("button", { name: "Links cannot be made" }).click();
    await page.locator("#faults", { hasText: "payment_links.create" }).waitFor();
    expect(await cart("prod_acmeTestUsd1")).toMatchObject({ error_code: "INTEGRATION_UPSTREAM_ERROR" });
    await page.getByRole("button", { name: "Receivers fail three times" }).click();
    await page.locator("#faults", { hasText: "inbox acme: answers 500" }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator("#faults strong").waitFor({ state: "detached" });
    expect(await cart("prod_acmeTestUsd1")).toMatchObject({ success: true });
    await page.close();
  });

  it.runIf(isFull)("gives each delivery as a command that makes it again", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    const command = (await page.locator(`[data-copy*="service-signature: v1,"]`).first().getAttribute("data-copy")) ?? "";
    const { stdout } = await promisify(execFile)("sh", ["-c", `${command} -s -o /dev/null -w '%{http_code}'`]);
    expect(stdout).toBe("200");
    await page.close();
  });

  it.runIf(isFull)("gives each request of the edge as a command that makes it again", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    const row = page.locator("#requests > .scroll > table > tbody", { hasText: "/v1/payment_links" }).first();
    const command = (await row.locator("[data-copy]").getAttribute("data-copy")) ?? "";
    const { stdout } = await promisify(execFile)("sh", ["-c", command]);
    // The same key: the sandbox gives the same link, and makes none.
    expect(JSON.parse(stdout)).toMatchObject({ object: "payment_link" });
    await page.close();
  });

  inBrowserFully.each(SCREENS)("fits %s, in each scheme, with everything unfolded", async (_where, size) => {
    for (const scheme of SCHEMES) {
      const { page, strangers, complaints } = await visit(browser, stack.sandbox, size, scheme);
      await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
      expect([strangers, complaints, await overflowOf(page)]).toEqual([[], [], 0]);
      expect(await barriersOf(page)).toEqual([]);
      await page.close();
    }
  });

  it.runIf(isFull)("shows what a customer sees after paying, and leads back to the order", async () => {
    const link = await cart("prod_acmeTestUsd1");
    for (const [button, title] of [
      ["Have the payment declined", "The payment was declined"],
      ["Pay", "Thank you, you have paid"],
    ] as const) {
      const { page } = await visit(browser, `${stack.sandbox}/checkout/${String(link.payment_link_id)}`, PHONE, "dark");
      await page.getByRole("button", { name: button }).first().click();
      await page.getByRole("heading", { name: title }).waitFor();
      expect([await overflowOf(page), await barriersOf(page)]).toEqual([0, []]);
      await page.getByRole("link", { name: "See the order in the sandbox" }).click();
      await page.locator("#orders article").first().waitFor();
      await page.close();
    }
  });

  it.each(isFull ? languages : ["ar" as const])(
    "shows a customer whose link does not work a page that keeps nobody out: %s",
    async (locale) => {
      for (const colorScheme of SCHEMES) {
        const page = await openPage(browser, { viewport: PHONE, colorScheme, locale });
        await page.goto(`${stack.edge}/01unknownLink${locale}`);
        expect(await page.locator("h1").innerText()).toBe(texts[locale].title);
        expect([await overflowOf(page), await barriersOf(page)]).toEqual([0, []]);
        await page.close();
      }
    },
  );

  it.runIf(isFull)("fits a phone where a customer pays, at the processor and at the bank", async () => {
    const link = await cart("prod_acmeTestUsd1");
    const body = { items: [{ product_id: 1002, quantity: 1 }], customer_phone: "+79031234567", environment: "test" };
    const payment = await call("create-partner-bank-cart-payment", body);
    for (const address of [`${stack.sandbox}/checkout/${String(link.payment_link_id)}`, String(payment.payment_url)]) {
      const { page, complaints } = await visit(browser, address, PHONE, "dark");
      expect([await overflowOf(page), await page.locator("button.main").count(), complaints]).toEqual([0, 1, []]);
      expect(await barriersOf(page)).toEqual([]);
      await page.close();
    }
  });
});
