import { html } from "hono/html";
import { pay } from "../processor/checkout.ts";
import { totalOf } from "../processor/links.ts";
import type { ProcessorObject } from "../state.ts";
import { listObjects, type World } from "../world.ts";
import { price } from "./layout.ts";
import { button, buttons, code, environment, listing, type Section, time, words } from "./tables.ts";

/** Actions of a customer on a link, by button name. */
export const linkActions = {
  pay: (world: World, id: string) => pay(world, id, { email: "customer@example.com" }),
  "pay-slowly": (world: World, id: string) => pay(world, id, { email: "customer@example.com", outcome: "pending" }),
};

/** Payment links, for the start page. */
export function links(world: World): Section {
  const head = ["Made", "Link", "Environment", "Sells", "Total", ""];
  const none = html`None yet. The <a href="${world.edge}/docs/quickstart">quickstart</a> makes one.`;
  return listing({ id: "links", title: "Payment links", head, none }, listObjects(world, "payment_link"), (link) => [
    time(link),
    code(link.id),
    environment(link),
    (world.state.lines[link.id] ?? []).map((line) => `${words(line.description)} × ${words(line.quantity)}`).join(", "),
    price(totalOf(world, link.id), link.currency),
    actionsOn(link),
  ]);
}

function actionsOn(link: ProcessorObject) {
  if (link.active === false) return "not active";
  return buttons(html`<a href="/checkout/${link.id}">Checkout</a>`, button("pay", link, "Pay"), button("pay-slowly", link, "Pay slowly"));
}

/** Checkout sessions, for the start page. */
export function checkouts(world: World): Section {
  const head = ["Made", "Session", "Environment", "Link", "Customer", "Order reference", "Total", "Status"];
  const about = { id: "checkouts", title: "Checkouts", head, none: "None yet. Pay a link above." };
  return listing(about, listObjects(world, "checkout.session"), (session) => [
    time(session),
    code(session.id),
    environment(session),
    code(session.payment_link),
    (session.customer_details as { email?: string | null } | null)?.email ?? "",
    words(session.client_reference_id),
    price(session.amount_total, session.currency),
    `${String(session.status)}, ${String(session.payment_status)}`,
  ]);
}
