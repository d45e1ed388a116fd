import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { chromiumPath } from "../../local/chromium.ts";
import { DESK, overflowOf, PHONE, SCREENS, startBrowser, visit } from "./browser.ts";
import { ownStack } from "./own-stack.ts";

const SIGNING_SECRET = z.object({ registered: z.tuple([z.object({ signing_secret: z.string() })]) });

/** What a person sees of the sandbox, and does on it, in a browser. */
describe.runIf(chromiumPath !== undefined)("the sandbox's start page", () => {
  const stack = ownStack();
  let browser: Browser;
  let secret = "";

  const call = async (operation: string, body: object) => {
    const response = await fetch(`${stack.edge}/${operation}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Partner-Api-Key": "a0000000-0000-4000-8000-000000000001" },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Record<string, unknown>;
  };
  const cart = (product: string) =>
    call("create-partner-processor-cart-payment-link", {
      items: [{ stripe_product_id: product, unit_amount: 1900, quantity: 1 }],
      client_token: crypto.randomUUID(),
    });

  beforeAll(async () => {
    browser = await startBrowser();
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
  afterAll(() => browser.close());

  const rowOf = (page: Page, section: string, words: string) => page.locator(`#${section} > .scroll > table > tbody`, { hasText: words });
  const press = (page: Page, section: string, words: string, label: string) =>
    rowOf(page, section, words).getByRole("button", { name: label, exact: true }).first().click();
  const see = (page: Page, section: string, words: string) => rowOf(page, section, words).first().waitFor();

  it("lets a person pay, refund, dispute, win, renew, end and pay at the bank, and shows each event as it arrives", async () => {
    const { page, strangers, complaints } = await visit(browser, stack.sandbox, DESK);
    await page.evaluate("window.notReloaded = true");
    await press(page, "links", "prod_acmeTestUsd1", "Pay");
    await see(page, "checkouts", "complete, paid");
    await see(page, "events", "Processor.payment.succeeded");
    await press(page, "payments", "succeeded", "Refund");
    await see(page, "payments", "19.00 USD refunded");
    await see(page, "events", "Processor.refund.succeeded");

    await press(page, "links", "prod_acmeTestMonthly", "Pay");
    await see(page, "subscriptions", "active");
    await see(page, "events", "Processor.subscription.started");
    await press(page, "subscriptions", "active", "Renew");
    await page.locator("#payments > .scroll > table > tbody").nth(2).waitFor();
    await press(page, "subscriptions", "active", "End now");
    await see(page, "events", "Processor.subscription.ended");

    await press(page, "links", "prod_acmeTestUsd1", "Pay slowly");
    await press(page, "payments", "processing", "Let it fail");
    await see(page, "events", "Processor.payment.failed");
    await press(page, "links", "prod_acmeTestUsd1", "Pay");
    await page.locator("#payments > .scroll > table > tbody").nth(4).waitFor();
    await press(page, "payments", "succeeded", "Dispute");
    await press(page, "disputes", "needs_response", "Win");
    await see(page, "disputes", "won");
    await see(page, "events", "Processor.dispute.won");

    await press(page, "bank", "NEW", "Pay");
    await see(page, "bank", "CONFIRMED");
    await see(page, "events", "Bank.payment.succeeded");
    await see(page, "requests", "/v2/Init");
    await see(page, "requests", "/v1/payment_links");
    expect([strangers, complaints, await page.evaluate("window.notReloaded")]).toEqual([[], [], true]);
    await page.close();
  });

  it("checks signatures by a secret that it is given, and shows the attempts with the header and the body", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    await page.getByLabel("Check signatures with").fill(secret);
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await see(page, "events", "verifies");
    await rowOf(page, "events", "Bank.payment.succeeded").locator("summary").click();
    const attempts = rowOf(page, "events", "Bank.payment.succeeded").locator("details");
    expect(await attempts.innerText()).toMatch(/evt_[0-9a-f]{32}[\s\S]*v1,[0-9a-f]{64}[\s\S]*"ep_product_id": null/);
    await page.close();
  });

  it("keeps what somebody types and has unfolded while it brings itself up to date", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    await rowOf(page, "events", "Bank.payment.succeeded").locator("summary").click();
    await cart("prod_acmeTestUsd2");
    await see(page, "links", "prod_acmeTestUsd2");
    expect(await rowOf(page, "events", "Bank.payment.succeeded").locator("details[open]").count()).toBe(1);
    await page.getByLabel("Check signatures with").pressSequentially("whsec_half");
    await cart("prod_acmeBulk01");
    await see(page, "links", "prod_acmeBulk01");
    expect(await page.getByLabel("Check signatures with").inputValue()).toBe("whsec_half");
    await page.close();
  });

  it("acts once, on what was meant, whatever arrives meanwhile", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    await press(page, "links", "prod_acmeTestUsd2", "Pay");
    const mine = rowOf(page, "payments", "succeeded").first();
    await mine.getByRole("button", { name: "Refund" }).waitFor();
    const intent = await mine.locator("code").innerText();
    // The focus stays with the payment that it is on while a newer one comes above it.
    await mine.getByRole("button", { name: "Refund" }).focus();
    await fetch(`${stack.sandbox}/act/pay/${String((await cart("prod_acmeBulk02")).payment_link_id)}`, {
      method: "POST",
      redirect: "manual",
    });
    const newest = page.locator("#payments > .scroll > table > tbody").first();
    await expect.poll(() => newest.innerText()).not.toContain(intent);
    await page.keyboard.press("Enter");
    await page.locator("#payments > .scroll > table > tbody", { hasText: intent }).filter({ hasText: "refunded" }).waitFor();

    // A click that takes long is one click, however often it is made and the page brings itself up to date.
    let asked = 0;
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/act/pay/**", async (route) => {
      asked += 1;
      await held;
      await route.continue();
    });
    const pay = rowOf(page, "links", "prod_acmeBulk02").getByRole("button", { name: "Pay", exact: true });
    for (let click = 0; click < 4; click += 1) {
      await pay.click();
      // The page has brought itself up to date.
      await page.waitForResponse((response) => response.request().method() === "GET");
    }
    expect(asked).toBe(1);
    letGo();
    await page.unrouteAll({ behavior: "wait" });

    // One that nobody answers says so.
    await page.route("**/act/**", (route) => route.abort());
    await press(page, "links", "prod_acmeTestUsd1", "Pay");
    await page.locator("#said").waitFor();
    await page.close();
  });

  it("says why something did not work, and what is set to fail", async () => {
    const { page } = await visit(browser, stack.sandbox, DESK);
    await rowOf(page, "payments", "disputed").first().waitFor();
    await page.evaluate("document.querySelector('#links form').action = '/act/refund/pi_none'");
    await page.locator("#links form button").first().click();
    await page.locator("#said").waitFor();
    expect(await page.locator("#said").innerText()).toContain("No such payment_intent: 'pi_none'");
    const fault = { target: "processor", call: "prices.create", times: 3, kind: "http_500" };
    await fetch(`${stack.sandbox}/control/faults`, { method: "POST", body: JSON.stringify(fault) });
    await page.locator("#faults", { hasText: "prices.create" }).waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator("#faults strong").waitFor({ state: "detached" });
    await page.close();
  });

  it.each(SCREENS)("fits %s, light and dark, with everything unfolded", async (_where, size) => {
    for (const scheme of ["light", "dark"] as const) {
      const { page, strangers, complaints } = await visit(browser, stack.sandbox, size, scheme);
      await page.evaluate("for (const folded of document.querySelectorAll('details')) folded.open = true");
      expect([strangers, complaints, await overflowOf(page)]).toEqual([[], [], 0]);
      await page.close();
    }
  });

  it("fits a phone where a customer pays, at the processor and at the bank", async () => {
    const link = await cart("prod_acmeTestUsd1");
    const body = { items: [{ product_id: 1002, quantity: 1 }], customer_phone: "+79031234567", environment: "test" };
    const payment = await call("create-partner-bank-cart-payment", body);
    for (const address of [`${stack.sandbox}/checkout/${String(link.payment_link_id)}`, String(payment.payment_url)]) {
      const { page, complaints } = await visit(browser, address, PHONE, "dark");
      expect([await overflowOf(page), await page.locator("button.main").count(), complaints]).toEqual([0, 1, []]);
      await page.close();
    }
  });
});
