import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { analyticsApi, analyticsPoints } from "./analytics.ts";
import { bankApi } from "./bank/api.ts";
import { controlRoutes } from "./control.ts";
import { inboxRoutes, telegramRoutes } from "./inbox.ts";
import { bankPages } from "./pages/bank.ts";
import { checkoutPages } from "./pages/checkout.ts";
import { startPage } from "./pages/start.ts";
import { processorApi } from "./processor/api.ts";
import type { World } from "./world.ts";

/**
 * Refuses changes that a page of another site sends: the sandbox runs on the machine of a developer who visits other sites. Programs
 * name no origin.
 */
const refuseForeignPages = createMiddleware(async ({ req, text }, next) => {
  const origin = req.header("Origin");
  const site = req.header("Sec-Fetch-Site") ?? "none";
  const isOwn = (origin === undefined || origin === new URL(req.url).origin) && ["none", "same-origin"].includes(site);
  return isOwn || req.method === "GET" || req.method === "HEAD" ? next() : text("This request comes from another site's page.", 403);
});

/**
 * Simulates the processor, the bank, their pages and the partners' receivers in one server. It uses only web standards,
 * so that the same code runs for `npm run dev` and inside the tests.
 */
export function buildSandbox(world: World): Hono {
  const app = new Hono();
  app.use(refuseForeignPages);
  app.route("/", startPage(world));
  app.route("/v1", processorApi(world));
  app.route("/v2", bankApi(world));
  app.route("/bank", bankPages(world));
  app.route("/checkout", checkoutPages(world));
  app.route("/inbox", inboxRoutes(world));
  app.route("/", telegramRoutes(world));
  app.route("/analytics", analyticsPoints(world));
  app.route("/", analyticsApi(world));
  app.route("/control", controlRoutes(world));
  return app;
}
