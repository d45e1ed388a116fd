import { Hono } from "hono";
import { bankApi } from "./bank/api.ts";
import { controlRoutes } from "./control.ts";
import { inboxRoutes, telegramRoutes } from "./inbox.ts";
import { bankPages } from "./pages/bank.ts";
import { checkoutPages } from "./pages/checkout.ts";
import { startPage } from "./pages/start.ts";
import { processorApi } from "./processor/api.ts";
import type { World } from "./world.ts";

/**
 * Simulates the processor, the bank, their pages and the partners' receivers in one server. It uses only web standards,
 * so that the same code runs for `npm run dev` and inside the tests.
 */
export function buildSandbox(world: World): Hono {
  const app = new Hono();
  app.route("/", startPage(world));
  app.route("/v1", processorApi(world));
  app.route("/v2", bankApi(world));
  app.route("/bank", bankPages(world));
  app.route("/checkout", checkoutPages(world));
  app.route("/inbox", inboxRoutes(world));
  app.route("/", telegramRoutes(world));
  app.route("/control", controlRoutes(world));
  return app;
}
