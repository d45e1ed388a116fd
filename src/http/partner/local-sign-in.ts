import { Hono } from "hono";
import { signInByInvitation } from "../../partners/people/invitations.ts";
import type { AppEnv } from "../context.ts";
import { plainError } from "../error-response.ts";
import { setSessionCookie } from "./session-cookie.ts";

/** The path that `npm run dev` prints, with the token of an invitation. */
export const LOCAL_SIGN_IN = "/dashboard/sign-in-locally/";

/**
 * Signs a person in without a passkey, once for each invitation. Only local development has this way: a deployed service
 * answers as for any unknown address.
 */
export function localSignIn(): Hono<AppEnv> {
  return new Hono<AppEnv>().get(`${LOCAL_SIGN_IN}:token`, async (context) => {
    const deps = context.get("deps");
    if (!deps.settings.local) return plainError(context, 404, "Unknown address.");
    const of = { browser: context.req.header("User-Agent") ?? "unknown", requestId: context.get("requestId") };
    const started = await signInByInvitation(deps, context.req.param("token"), of);
    if (started === null) return plainError(context, 404, "This link was used. `npm run dev` prints a new one at each start.");
    setSessionCookie(context, started);
    return context.redirect("/dashboard?env=test");
  });
}
