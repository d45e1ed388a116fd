import { html } from "hono/html";
import { pay } from "../processor/checkout.ts";
import { totalOf } from "../processor/links.ts";
import type { ProcessorObject } from "../state.ts";
import { listObjects, type World } from "../world.ts";
import { price } from "./layout.ts";
import { button, buttons, code, environment, MOST_ROWS, type Section, table, time, words } from "./tables.ts";

/** What a customer does at a link, by the name of the button. */
export const linkActions = {
  pay: (world: World, id: string) => pay(world, id, { email: "customer@example.com" }),
  "pay-slowly": (world: World, id: string) => pay(world, id, { email: "customer@example.com", outcome: "pending" }),
};

/** Payment links, for the start page. */
export function links(world: World): Section {
  const all = listObjects(world, "payment_link");
  const rows = all
    .slice(0, MOST_ROWS)
    .map((link) => [
      time(link),
      code(link.id),
      environment(link),
      (world.state.lines[link.id] ?? []).map((line) => `${words(line.description)} × ${words(line.quantity)}`).join(", "),
      price(totalOf(world, link.id), link.currency),
      actionsOn(link),
    ]);
  const none = html`None yet. The <a href="${world.edge}/docs/quickstart">quickstart</a> makes one.`;
  return {
    id: "links",
    title: "Payment links",
    count: all.length,
    content: table(["Made", "Link", "Environment", "Sells", "Total", ""], rows, none),
  };
}

function actionsOn(link: ProcessorObject) {
  if (link.active === false) return "not active";
  return buttons(html`<a href="/checkout/${link.id}">Checkout</a>`, button("pay", link, "Pay"), button("pay-slowly", link, "Pay slowly"));
}

/** Checkout sessions: what customers did at the links. */
export function checkouts(world: World): Section {
  const all = listObjects(world, "checkout.session");
  const rows = all
    .slice(0, MOST_ROWS)
    .map((session) => [
      time(session),
      code(session.id),
      environment(session),
      code(session.payment_link),
      (session.customer_details as { email?: string | null } | null)?.email ?? "",
      words(session.client_reference_id),
      price(session.amount_total, session.currency),
      `${String(session.status)}, ${String(session.payment_status)}`,
    ]);
  const head = ["Made", "Session", "Environment", "Link", "Customer", "Order reference", "Total", "Status"];
  return { id: "checkouts", title: "Checkouts", count: all.length, content: table(head, rows, "None yet. Pay a link above.") };
}
