import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect } from "vitest";
import { Assistant } from "./assistant.ts";
import { barriersOf, inBrowser, openPage, overflowOf, ownBrowser, SCHEMES, SCREENS } from "./browser.ts";
import { sharedStack } from "./shared-stack.ts";

const stack = sharedStack();
const CART = "create-partner-processor-cart-payment-link";
const LIST = "list-partner-processor-transactions";
const browser = ownBrowser();
let callback: Server;
let back: URL | undefined;
let redirectUrl = "";

beforeAll(async () => {
  callback = createServer((request, response) => {
    // A browser asks for an icon too.
    if (request.url?.startsWith("/callback") === true) back = new URL(request.url, redirectUrl);
    response.end("You may close this page.");
  });
  await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
  redirectUrl = `http://127.0.0.1:${(callback.address() as AddressInfo).port}/callback`;
});
afterAll(() => void callback?.close());

async function ops(path: string, body?: object): Promise<any> {
  const headers = { Authorization: "Bearer ops-local", "X-Operator": "Maria", "Content-Type": "application/json" };
  const response = await fetch(`${stack.edge}/ops/${path}`, {
    headers,
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return response.json();
}

inBrowser.each(SCREENS.flatMap(([name, screen]) => SCHEMES.map((scheme) => [name, scheme, screen] as const)))(
  "on %s, %s: an assistant signs in, makes a test link, looks, is refused what was not given, and loses all with the key",
  async (_name, colorScheme, viewport) => {
    const { key, key_id } = await ops("partners/acme/keys", { label: "for an assistant", permissions: ["product_create", "balance_view"] });
    const assistant = new Assistant(stack.edge, redirectUrl);
    await assistant.connect();
    expect(await assistant.tools()).toContain(CART);
    const order = (product: string) => ({
      items: [{ stripe_product_id: product, unit_amount: 1900, quantity: 1 }],
      client_token: crypto.randomUUID(),
    });
    await expect(assistant.call(CART, order("prod_acmeTestUsd1"))).rejects.toThrow();

    const page = await openPage(browser, { viewport, colorScheme });
    const complaints: string[] = [];
    page.on("console", (message) => void (["error", "warning"].includes(message.type()) && complaints.push(message.text())));
    await page.goto(String(assistant.asked));
    expect(await page.locator("h1").innerText()).toBe("A hosted assistant asks for access");
    expect([await overflowOf(page), await barriersOf(page)]).toEqual([0, []]);
    await page.fill("#key", "d0000000-0000-4000-8000-000000000009");
    await page.click('button:has-text("Go on")');
    expect(await page.locator("[role=alert]").innerText()).toContain("not valid");
    expect([await overflowOf(page), await barriersOf(page)]).toEqual([0, []]);
    await page.fill("#key", key);
    await page.click('button:has-text("Go on")');
    expect(await page.locator("h1").innerText()).toBe("What may A hosted assistant do?");
    expect([await overflowOf(page), await barriersOf(page)]).toEqual([0, []]);
    await page.check('[value="product_create"]');
    await page.uncheck('[value="balance_view"]');
    await page.click('button:has-text("Allow")');
    await page.waitForURL(`${redirectUrl}**`);
    // The wrong key was answered with 403, which the browser notes by itself.
    expect(complaints.filter((text) => !text.includes("403"))).toEqual([]);
    await page.close();

    await assistant.returned(back?.searchParams ?? new URLSearchParams());
    expect(await assistant.call(CART, order("prod_acmeTestUsd1"))).toMatchObject({ success: true, short_url: expect.any(String) });
    expect(await assistant.call(CART, order("prod_acmeLiveUsd1"))).toMatchObject({ error_code: "PERMISSION_DENIED" });
    expect(await assistant.call(LIST, { environment: "test" })).toMatchObject({ error_code: "PERMISSION_DENIED" });
    const { data } = await ops("partners/acme/grants");
    expect(data.filter((grant: any) => grant.key_id === key_id)).toMatchObject([
      { client_name: "A hosted assistant", environments: ["test"] },
    ]);

    await ops(`keys/${key_id}/revoke`, {});
    await expect(assistant.call(CART, order("prod_acmeTestUsd1"))).rejects.toThrow();
    await assistant.close();
  },
);
