import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { mountCalls } from "../calls/mount.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";
import { opsCalls } from "./calls/index.ts";
import { describeOps } from "./description.ts";
import { operatorsDocs } from "./docs.ts";
import { statusAndMessageOf } from "./failure.ts";
import { requireOperator, requireRole } from "./operator-auth.ts";
import { sessionRoutes } from "./sign-in.ts";
import { viewRoutes } from "./view-as-partner.ts";

/** JSON answers are not pages, and no page of this host can read them through a window. */
const noPage = secureHeaders({
  crossOriginOpenerPolicy: "same-origin",
  crossOriginEmbedderPolicy: "require-corp",
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] },
});

/** `/ops/…`: for operators only. Real HTTP statuses. */
export function opsRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const docs = operatorsDocs();
  docs.onError(answerFailure);
  app.route("/", docs);
  app.use("/ops/*", noPage);
  app.onError(answerFailure);
  // The sign-in comes before what needs one.
  const session = sessionRoutes();
  session.onError(answerFailure);
  app.route("/", session);
  app.use("/ops/*", requireOperator);
  app.route("/", viewRoutes());
  const calls = mountCalls(opsCalls, {
    prefix: "ops ",
    guard: (call, context) => requireRole(context.get("roles"), call.role),
    contextOf: (context) => ({ deps: context.get("deps"), actor: context.get("actor") }),
  });
  calls.onError(answerFailure);
  app.route("/", calls);
  app.get("/ops/openapi.json", (context) => context.json(describeOps(opsCalls, context.get("deps").settings.apiOrigin)));
  app.all("/ops/openapi.json", methodNotAllowed("GET, HEAD"));
  app.all("/ops/*", (context) => plainError(context, 404, "There is no such call. What there is stands at /ops/openapi.json."));
  return app;
}

/** An error with its real HTTP status. */
function answerFailure(thrown: Error, context: Context<AppEnv>): Response {
  const { status, message } = statusAndMessageOf(thrown, context);
  return plainError(context, status, message);
}
