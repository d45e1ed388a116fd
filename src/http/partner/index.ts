import { type Context, Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { holderName } from "../../partners/authenticate.ts";
import { admitChange } from "../../partners/change-counts.ts";
import { checkSignIns } from "../../rate-limits/admission.ts";
import { mountCalls } from "../calls/mount.ts";
import { notFound } from "../calls/refusal.ts";
import type { AppEnv } from "../context.ts";
import { accessOf, requireFreshPasskey, requireOwnPage, takenAt } from "./access.ts";
import { partnerCalls } from "./calls/index.ts";
import type { PartnerContext, SignInContext } from "./define-call.ts";
import { answerPartnerFailure } from "./failure.ts";
import { dropSessionCookie, setSessionCookie } from "./session-cookie.ts";
import { signInCalls } from "./sign-in/calls.ts";

/** `/partner/…`: the calls by which partners look after themselves. By key or by session, with real HTTP statuses. */
export function partnerRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.use("/partner/*", secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] } }));
  const calls = mountCalls(partnerCalls, {
    prefix: "partner ",
    async guard(call, context) {
      const { caller, signedIn } = await accessOf(call, context);
      context.set("caller", caller);
      context.set("signedIn", signedIn);
      if (call.needsPasskey) requireFreshPasskey(signedIn, context.get("deps").clock);
      if (!call.isBounded) await admitChange(context.get("deps"), caller);
    },
    contextOf: partnerContextOf,
  });
  calls.onError(answerPartnerFailure);
  const signIn = mountCalls(signInCalls, { prefix: "partner ", guard: guardSignIn, contextOf: signInContextOf });
  signIn.onError(answerPartnerFailure);
  return app.route("/", signIn).route("/", calls);
}

export function partnerContextOf(context: Context<AppEnv>): PartnerContext {
  const [deps, caller] = [context.get("deps"), context.get("caller")];
  return {
    deps,
    own: deps.ofPartner(caller),
    caller,
    actor: { name: holderName(caller.holder), requestId: context.get("requestId") },
    signedIn: context.get("signedIn"),
    isOperator: false,
    dropCookie: () => dropSessionCookie(context),
  };
}

/** Sign-in is for the dashboard's own pages, and an address whose sign-ins were refused too often waits. */
async function guardSignIn(_call: unknown, context: Context<AppEnv>): Promise<void> {
  const { rateLimits, address, settings } = context.get("deps");
  if (!takenAt(context).session) notFound(`People sign in at ${settings.dashboardOrigin ?? "no host of this service"}.`);
  requireOwnPage("POST", context);
  await checkSignIns(rateLimits, address);
}

function signInContextOf(context: Context<AppEnv>): SignInContext {
  return {
    deps: context.get("deps"),
    requestId: context.get("requestId"),
    browser: context.req.header("User-Agent") ?? "unknown",
    setCookie: (started) => setSessionCookie(context, started),
  };
}
