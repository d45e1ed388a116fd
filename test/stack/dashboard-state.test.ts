import type { Page } from "playwright-core";
import { beforeAll, expect } from "vitest";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { barriersOf, DESK, inBrowser, inBrowserFully, overflowOf, ownBrowser, PHONE, personsBrowser } from "./browser.ts";
import { sharedStack } from "./shared-stack.ts";

/** What a page keeps, and what it forgets: of another object, of another person's rights, and on the way back. */

const stack = sharedStack();
const browser = ownBrowser();
const invitations = { owner: "", limited: "" };
let events: readonly string[] = [];

async function send(url: string, method: string, headers: Record<string, string>, body?: object): Promise<any> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return (await fetch(url, { method, headers: { "Content-Type": "application/json", ...headers }, ...sent })).json();
}

const operate = (path: string, body?: object) =>
  send(
    `${stack.edge}/ops/${path}`,
    body === undefined ? "GET" : "POST",
    { Authorization: `Bearer ${localSecrets.OPS_TOKEN}`, "X-Operator": "Maria" },
    body,
  );

/** A partner with one product, two paid orders, and the events of both. */
beforeAll(async () => {
  await operate("partners", { id: "keepers", name: "Keepers" });
  const course = { kind: "card", environment: "test", name: "A course", type: "one_time", currency: "USD", unit_amount: 1900 };
  const { id } = await operate("partners/keepers/products", course);
  const { product } = await operate(`products/card/${id}/approve`, { first_link: false });
  const { key } = await operate("partners/keepers/keys", { label: "shop", permissions: ["product_create", "webhook_config"] });
  const call = (path: string, body: object) => send(`${stack.edge}/${path}`, "POST", { "X-Partner-Api-Key": key }, body);
  await call("register-partner-notifications-webhook", { test_url: `${stack.sandbox}/inbox/keepers` });
  const items = [{ stripe_product_id: product.processor_product_id, unit_amount: 1900, quantity: 1 }];
  const { short_url } = await call("create-partner-processor-cart-payment-link", { items, client_token: "keepers-1" });
  for (const client_reference_id of ["kept-one", "kept-two"])
    await send(`${stack.sandbox}/control/pay`, "POST", {}, { short_url, client_reference_id });
  while (events.length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    const { data } = await operate("deliveries?environment=test&partner=keepers&state=succeeded");
    events = data.map(({ delivery }: { delivery: string }) => delivery);
  }
  const invite = async (name: string, permissions: readonly string[]) => {
    const person = await operate("partners/keepers/employees", { name, permissions });
    return (await operate(`employees/${person.id}/invitation`, {})).url;
  };
  invitations.owner = await invite("Ann", ["product_create", "balance_view", "products_view", "payment_read", "webhook_config", "owner"]);
  invitations.limited = await invite("Lim", ["balance_view", "products_view", "bank_payment"]);
});

const at = (page: string) => `${stack.edge}/dashboard${page}${page.includes("?") ? "&" : "?"}env=test`;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const searchOf = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

/** A person who has accepted an invitation. */
async function signedIn(invitation: string, viewport = DESK) {
  const { context, page } = await personsBrowser(browser, viewport);
  await page.goto(invitation);
  await button(page, "Make a passkey and join").click();
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  return { context, page };
}

inBrowser("what was answered about one object does not stand on the page of another, and its name is what is copied", async () => {
  const { context, page } = await signedIn(invitations.owner);
  const [one = "", other = ""] = events;
  await page.goto(at(`/events/${one}`));
  await button(page, "Resend").click();
  await page.getByText("Your endpoint accepted it (HTTP 200).").waitFor();
  // Within the application, as a link of a timeline leads there.
  await page.evaluate(`history.pushState({}, "", "/dashboard/events/${other}?env=test"); dispatchEvent(new PopStateEvent("popstate"))`);
  await page.getByText(other).first().waitFor();
  await expect.poll(() => page.getByText("Your endpoint accepted it").count()).toBe(0);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/^[\w.]+$/);
  await context.close();
});

inBrowser("the way back leads to the list as it was left, and never off the site", async () => {
  const { context, page } = await signedIn(await ownersNext());
  await page.goto(at("/orders?status=paid"));
  await page
    .getByRole("row", { name: /kept-one/ })
    .getByRole("link")
    .click();
  await page.getByRole("heading", { level: 1, name: /\$19\.00/ }).waitFor();
  // The focus is at the beginning of the page, and a screen reader goes on there.
  await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("main");
  await page.getByRole("link", { name: "← Orders" }).click();
  await page.getByRole("row", { name: /kept-one/ }).waitFor();
  expect(searchOf(page)).toEqual({ env: "test", status: "paid" });

  // An order is told from another by its name, without looking at its row.
  const links = await page.getByRole("table").getByRole("link").all();
  const names = await Promise.all(links.map((link) => link.getAttribute("aria-label")));
  expect(new Set(names).size).toBe(2);
  expect(names).toContainEqual(expect.stringMatching(/^\$19\.00 USD, .*kept-one, Paid/));

  // A second page that a colleague shared has no page before it.
  const next = await page.evaluate(
    "fetch('/partner/orders?environment=test&limit=1').then((answer) => answer.json()).then((list) => list.next)",
  );
  const fresh = await context.newPage();
  await fresh.goto(at(`/orders?cursor=${String(next)}`));
  await fresh.getByRole("navigation", { name: "Pages of the list" }).getByRole("button", { name: "Back" }).click();
  await expect.poll(() => searchOf(fresh)).toEqual({ env: "test" });
  await fresh.getByRole("row", { name: /kept-two/ }).waitFor();
  await context.close();
});

/** The owner, invited again: an invitation is accepted once. */
async function ownersNext(): Promise<string> {
  const { data } = await operate("partners/keepers/employees");
  const { id } = data.find(({ name }: { name: string }) => name === "Ann");
  return (await operate(`employees/${id}/invitation`, {})).url;
}

inBrowser("a change is said to be done, and a dialog that was left begins anew", async () => {
  const { context, page } = await signedIn(await ownersNext());
  await page.goto(at("/webhooks"));
  await button(page, "Rotate secret").click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate secret" }).click();
  await page.getByText("Done: Rotate secret").waitFor();
  await page.getByText("The secret before it also signs until").first().waitFor();

  await button(page, "Add a webhook").click();
  await page.getByRole("dialog").getByLabel("Name").fill("left behind");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await button(page, "Add a webhook").click();
  expect(await page.getByRole("dialog").getByLabel("Name").inputValue()).toBe("");
  await context.close();
});

inBrowserFully("a limited person sees no button that can only be refused, and on a phone the log has its times", async () => {
  const { context, page } = await signedIn(invitations.limited);
  await page.goto(at("/orders"));
  await page
    .getByRole("row", { name: /kept-one/ })
    .getByRole("link")
    .click();
  await page.getByText(/^Paid \$19\.00 for/).waitFor();
  expect(await page.getByText("Objects at the processor").count()).toBe(0);
  for (const [path, heading] of [
    ["/links", "Payment links"],
    ["/products", "Products"],
    ["/promotion-codes", "Promotion codes"],
  ] as const) {
    await page.goto(at(path));
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    expect([path, await page.getByRole("link", { name: /^New / }).count()]).toEqual([path, 0]);
  }
  await page.goto(at("/ruble-payments"));
  await page.getByRole("link", { name: "New ruble payment" }).first().waitFor();
  await context.close();

  const phone = await signedIn(await ownersNext(), PHONE);
  await phone.page.goto(at("/team?tab=audit"));
  await phone.page.locator("time:visible").first().waitFor();
  expect([await overflowOf(phone.page), await barriersOf(phone.page)]).toEqual([0, []]);
  await phone.context.close();
});
