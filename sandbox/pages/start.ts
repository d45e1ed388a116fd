import { Hono } from "hono";
import { html } from "hono/html";
import { emptyState } from "../state.ts";
import type { World } from "../world.ts";
import { act } from "./actions.ts";
import { promotionCodes } from "./codes.ts";
import { eventTable, type ShownEvent, shownEvents } from "./event-table.ts";
import { clearFaults, faultButtons, faultsSet, setToFail } from "./faults.ts";
import { type Filter, filterForm, filterIn, fits } from "./filters.ts";
import { page } from "./layout.ts";
import { liveScript } from "./live.ts";
import { orderCard } from "./order-card.ts";
import { byId, type Order, ordersOf } from "./orders.ts";
import { requests } from "./request-table.ts";
import { MAX_ROWS, type Section } from "./tables.ts";

/** `/`: each order with its history, and buttons for actions of customers and banks. */
export function startPage(world: World): Hono {
  const app = new Hono();
  app.get("/", async (context) => {
    const filter = filterIn(context.req.query());
    const [orders, events] = [ordersOf(world), await shownEvents(world)];
    const sections = [...storySections(world, filter, orders, events), promotionCodes(world), requests(world)];
    return context.html(
      page(
        "Sandbox",
        html`
<h1>Sandbox</h1>
<p class="note">The processor, the bank, their customers and your receivers, on this machine; no money moves. Events go to
<a href="${world.edge}/docs"><code>${world.edge}</code></a>. <span id="state" class="good" role="status">up to date</span></p>
<p id="said" class="said" role="alert" hidden></p>
<nav id="menu" aria-label="Sections" data-live>${sections.map(({ id, title, count }) => html`<a href="#${id}">${title} <small>${count}</small></a>`)}</nav>
${filterForm(filter, partnersOf(orders, events))}
<div id="faults" data-live>${faultsSet(world)}</div>
${faultButtons()}
${await Promise.all(sections.map(show))}
<form class="row" method="post" action="/secrets"><label>Check signatures with <input name="secret" required pattern="whsec_.+" placeholder="whsec_…" autocomplete="off"></label> <button>Check</button></form>
<details class="row"><summary>Start over</summary>
<form method="post" action="/act/reset/all"><button>Forget everything that the sandbox holds</button></form></details>
${liveScript}`,
        "wide",
      ),
    );
  });

  app.onError((thrown, context) => {
    const message = thrown instanceof Error ? thrown.message : "It did not work.";
    return context.html(page("That did not work", html`<h1>That did not work</h1><p>${message}</p><p><a href="/">Back</a></p>`), 400);
  });

  app.post("/secrets", async (context) => {
    const { secret } = await context.req.parseBody();
    if (typeof secret !== "string" || !secret.startsWith("whsec_")) throw new Error("A signing secret begins with whsec_.");
    if (!world.state.secrets.includes(secret)) world.state.secrets.push(secret);
    return context.redirect("/", 303);
  });

  app.post("/act/:action/:id", async (context) => {
    const { action, id } = context.req.param();
    if (action === "reset") world.state = emptyState();
    else if (action === "clear-faults") clearFaults(world);
    else if (action === "fail") setToFail(world, id);
    else await act(world, action, id);
    return context.redirect("/", 303);
  });
  return app;
}

/** The filtered orders with their events, and events without an order. */
function storySections(world: World, filter: Filter, orders: readonly Order[], events: readonly ShownEvent[]): Section[] {
  const owners = byId(orders);
  const byOrder = Map.groupBy(events, (event) => orderOf(owners, event));
  const shown = orders.filter((order) => fits(filter, order, order.partner ?? partnerIn(byOrder.get(order))));
  const none = html`<p class="note">${orders.length === 0 ? html`None yet. The <a href="${world.edge}/docs/quickstart">quickstart</a> makes one.` : "None that fits."}</p>`;
  const cards = shown.slice(0, MAX_ROWS).map((order) => orderCard(world, order, byOrder.get(order) ?? []));
  const others = (byOrder.get(undefined) ?? []).slice(0, MAX_ROWS);
  return [
    { id: "orders", title: "Orders", count: shown.length, content: cards.length === 0 ? none : html`${cards}` },
    {
      id: "events",
      title: "Other events",
      count: others.length,
      content: eventTable(others, "None: each event belongs to an order above."),
    },
  ];
}

/** The order of an event, by any of its ids. */
function orderOf(owners: ReadonlyMap<string, Order>, { body }: ShownEvent): Order | undefined {
  for (const [, text = ""] of body.matchAll(/"([\w-]{8,})"/g)) {
    const found = owners.get(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The bank does not name the partner of an order: the inbox of its events does. */
const partnerIn = (events: readonly ShownEvent[] | undefined): string | null => events?.[0]?.inbox ?? null;

function partnersOf(orders: readonly Order[], events: readonly ShownEvent[]): readonly string[] {
  const named = [...orders.flatMap(({ partner }) => partner ?? []), ...events.map(({ inbox }) => inbox)];
  return [...new Set(named)].toSorted();
}

async function show({ id, title, count, content }: Section) {
  const shown = await content;
  return html`<section id="${id}" aria-label="${title}" data-live><h2>${title}${count > MAX_ROWS ? html` <small>the newest ${MAX_ROWS} of ${count}</small>` : ""}</h2>${shown}</section>`;
}
