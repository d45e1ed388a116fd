import { Hono } from "hono";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed } from "../plain.ts";
import { describeWebhooks } from "./webhooks.ts";

/** `/openapi.json`: the description of what partners are sent. The operations are not in it yet. */
export function openApiRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/openapi.json", (context) => context.json(describeApi()));
  app.all("/openapi.json", methodNotAllowed("GET, HEAD"));
  return app;
}

let described: object | undefined;

/** Made when it is first asked for: most isolates never are. */
function describeApi(): object {
  described ??= {
    openapi: "3.1.0",
    info: { title: "Partner payments", version: "2", summary: "The events that partners are sent" },
    webhooks: describeWebhooks(),
  };
  return described;
}
