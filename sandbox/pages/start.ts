import { Hono } from "hono";
import { html } from "hono/html";
import { emptyState } from "../state.ts";
import type { World } from "../world.ts";
import { bankActions, bankPayments } from "./bank-table.ts";
import { events } from "./event-table.ts";
import { page } from "./layout.ts";
import { checkouts, linkActions, links } from "./link-table.ts";
import { liveScript } from "./live.ts";
import { disputes, paymentActions, payments } from "./payment-table.ts";
import { requests } from "./request-table.ts";
import { subscriptionActions, subscriptions } from "./subscription-table.ts";
import { MAX_ROWS, type Section } from "./tables.ts";

type Action = (world: World, id: string) => Promise<unknown>;

/** Actions on an object, by button name. */
const ACTIONS: ReadonlyMap<string, Action> = new Map(
  Object.entries({ ...linkActions, ...paymentActions, ...subscriptionActions, ...bankActions }),
);

/** `/`: all objects, and buttons for actions of customers and banks. */
export function startPage(world: World): Hono {
  const app = new Hono();
  app.get("/", async (context) => {
    const sections = [links, checkouts, payments, subscriptions, disputes, bankPayments, events, requests].map((of) => of(world));
    const shown = await Promise.all(sections.map(show));
    return context.html(
      page(
        "Sandbox",
        html`
<h1>Sandbox</h1>
<p class="note">The processor, the bank, their customers and your receivers, on this machine; no money moves. Events go to
<a href="${world.edge}/docs"><code>${world.edge}</code></a>. <span id="state" class="good" role="status">up to date</span></p>
<p id="said" class="said" role="alert" hidden></p>
<nav id="menu" data-live>${sections.map(({ id, title, count }) => html`<a href="#${id}">${title} <small>${count}</small></a>`)}</nav>
<div id="faults" data-live>${faults(world)}</div>
${shown}
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

  app.post("/act/reset/all", (context) => {
    world.state = emptyState();
    return context.redirect("/", 303);
  });

  app.post("/act/clear-faults/all", (context) => {
    world.state.faults = [];
    return context.redirect("/", 303);
  });

  app.post("/act/:action/:id", async (context) => {
    const { action, id } = context.req.param();
    const act = ACTIONS.get(action);
    if (act === undefined) throw new Error(`There is no button ${action}.`);
    await act(world, id);
    return context.redirect("/", 303);
  });
  return app;
}

async function show({ id, title, count, content }: Section) {
  const shown = await content;
  return html`<section id="${id}" data-live><h2>${title}${count > MAX_ROWS ? html` <small>the newest ${MAX_ROWS} of ${count}</small>` : ""}</h2>${shown}</section>`;
}

/** Shows the injected faults, so that they are not forgotten. */
function faults(world: World) {
  if (world.state.faults.length === 0) return "";
  const set = world.state.faults.map(
    ({ target, call, kind, times }) => html`<li><code>${call}</code> at the ${target}: ${kind}, ${times} more</li>`,
  );
  return html`<div class="said"><strong>Set to fail</strong><ul>${set}</ul>
<form method="post" action="/act/clear-faults/all"><button>Clear</button></form></div>`;
}
