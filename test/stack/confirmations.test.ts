import { createHash, randomBytes } from "node:crypto";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { allowedAddress } from "../../tools/cli/conformance/authorization.ts";
import { barriersOf, DESK, inBrowserFully, overflowOf, ownBrowser, personsBrowser, SCHEMES, SCREENS } from "./browser.ts";
import { sharedStack } from "./shared-stack.ts";

const stack = sharedStack();
const browser = ownBrowser();

async function operate(path: string, body: object): Promise<any> {
  const headers = { "Content-Type": "application/json", Authorization: `Bearer ${localSecrets.OPS_TOKEN}`, "X-Operator": "Maria" };
  const response = await fetch(`${stack.edge}/ops/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

/** A signed-in agent: its calls of tools, as a program makes them. */
async function agentOf(key: string): Promise<(tool: string, given: object) => Promise<any>> {
  const redirect = "http://127.0.0.1:33418/callback";
  const registered: any = await fetch(`${stack.edge}/oauth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ client_name: "An assistant", redirect_uris: [redirect], token_endpoint_auth_method: "none" }),
  }).then((answer) => answer.json());
  const verifier = randomBytes(32).toString("base64url");
  const query = new URLSearchParams({
    response_type: "code",
    client_id: registered.client_id,
    redirect_uri: redirect,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
    state: "s",
    resource: `${stack.edge}/mcp`,
  });
  const back = await allowedAddress(stack.edge, `${stack.edge}/oauth/authorize?${query.toString()}`, key);
  const fields = {
    grant_type: "authorization_code",
    code: new URL(back).searchParams.get("code") ?? "",
    client_id: registered.client_id,
    redirect_uri: redirect,
    code_verifier: verifier,
    resource: `${stack.edge}/mcp`,
  };
  const token: any = await fetch(`${stack.edge}/oauth/token`, { method: "POST", body: new URLSearchParams(fields) }).then((answer) =>
    answer.json(),
  );
  return async (name, given) => {
    const answer = await fetch(`${stack.edge}/mcp`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json",
        Authorization: `Bearer ${token.access_token}`,
        "MCP-Protocol-Version": "2025-11-25",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: given } }),
    });
    const { result }: any = await answer.json();
    return result.structuredContent;
  };
}

/** No rule of axe is broken, and nothing is wider than the window, on the screens and in the schemes of this run. */
async function look(page: Page, name: string): Promise<void> {
  for (const [screen, viewport] of SCREENS) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      expect([name, screen, colorScheme, await barriersOf(page), await overflowOf(page)]).toEqual([name, screen, colorScheme, [], 0]);
    }
  }
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: "light" });
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

inBrowserFully("an owner has an agent wait, and confirms what it asks for with a passkey; then the agent makes it, once", async () => {
  await operate("partners", { id: "askers", name: "Askers" });
  const course = { kind: "card", environment: "test", name: "A course", type: "one_time", currency: "USD", unit_amount: 7700 };
  const { id: product } = await operate("partners/askers/products", course);
  await operate(`products/card/${product}/approve`, { first_link: false });
  const { key } = await operate("partners/askers/keys", {
    label: "agents",
    permissions: ["product_create", "products_view", "balance_view"],
  });
  const rights = ["product_create", "products_view", "balance_view", "owner"];
  const person = await operate("partners/askers/employees", { name: "Olga", permissions: rights });
  const { url: invitation } = await operate(`employees/${person.id}/invitation`, {});
  const ask = await agentOf(key);

  const { context, page } = await personsBrowser(browser);
  await page.goto(invitation);
  await button(page, "Make a passkey and join").click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();

  await page.goto(`${stack.edge}/dashboard/developers?tab=agents&env=test`);
  await button(page, "Choose what waits").click();
  await page.getByRole("combobox", { name: "Test data" }).selectOption("over");
  await page.getByRole("dialog").getByLabel("Amount").fill("50");
  await look(page, "rule");
  await button(page, "Save").click();
  await page.getByText("Test: over $50.00").waitFor();

  const { data: products } = await ask("list-partner-products", {});
  const given = { items: [{ stripe_product_id: products[0].id, unit_amount: 7700, quantity: 2 }], client_token: "asker-1" };
  const tool = "create-partner-processor-cart-payment-link";
  const waiting = await ask(tool, given);
  expect(waiting).toMatchObject({ success: false, error_code: "CONFIRMATION_REQUIRED" });

  await page.goto(waiting.confirmation_url);
  await page.getByRole("heading", { level: 1, name: "Payment link · $154.00" }).waitFor();
  await page.getByText("Nothing was made yet.").waitFor();
  await look(page, "confirmation");
  await button(page, "Confirm").click();
  await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
  await page.getByText("You can go back to your agent").waitFor();

  const made = await ask(tool, given);
  expect(made).toMatchObject({ success: true, duplicate: false });
  expect(await ask(tool, given)).toEqual({ ...made, duplicate: true });
  await page.goto(`${stack.edge}/dashboard/developers?tab=confirmations`);
  await page
    .getByRole("row", { name: /Payment link · \$154\.00/ })
    .getByText("Carried out")
    .waitFor();
  await look(page, "confirmations");
  await context.close();
});
