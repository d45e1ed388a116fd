import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { annotateTrace } from "../../core/trace.ts";
import { callerOf, keyHeadersOf } from "../authenticate.ts";
import { mountCalls } from "../calls/mount.ts";
import type { AppEnv } from "../context.ts";
import { partnerCalls } from "./calls/index.ts";
import { answerPartnerFailure } from "./failure.ts";

/** `/partner/…`: the calls by which partners look after themselves. By key, with real HTTP statuses. */
export function partnerRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use("/partner/*", secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] } }));
  const calls = mountCalls(partnerCalls, {
    prefix: "partner ",
    async guard({ method, permission }, context) {
      const needed = {
        location: "header",
        permission,
        kind: method === "GET" ? ("read" as const) : ("creation" as const),
        environment: "any",
      } as const;
      const { caller } = await callerOf(context.get("deps"), needed, keyHeadersOf(context.req), {});
      context.set("caller", caller);
      annotateTrace({ partner: caller.partnerId });
    },
    contextOf(context) {
      const [deps, caller] = [context.get("deps"), context.get("caller")];
      const actor = { name: `holder of ${caller.keyId}`, requestId: context.get("requestId") };
      return { deps, own: deps.ofPartner(caller), caller, actor };
    },
  });
  calls.onError(answerPartnerFailure);
  return app.route("/", calls);
}
