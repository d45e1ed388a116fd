import { AuthorizationError, CimdFetchError } from "@cloudflare/workers-oauth-provider";
import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { EntryChanged } from "../../grants/entries.ts";
import { limitBody } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, tooManyRequests } from "../error-response.ts";
import { RESOURCE_METADATA, resourceMetadata } from "./challenge.ts";
import { OAUTH_PATHS, type OAuthServer } from "./server.ts";
import { problemPage, showKeyPage, takeChoice, takeKey } from "./sign-in.tsx";

const OVER = "This page was open for too long, was used already, or was opened in another browser.";
const UNKNOWN_APP = "The app's description of itself could not be read, so it is not certain who asks.";

/**
 * Signing in for hosts of agents that cannot send an API key: a person pastes a key, and chooses what the host may do.
 * The library keeps the request between the pages, so that nothing that a form sends can change it.
 */
export function oauthRoutes(oauth: OAuthServer): Hono<AppEnv> {
  const library = (context: Context<AppEnv>) => oauth.fetch(context.req.raw, context.get("deps"), context.env.execution);
  const page = (show: typeof showKeyPage) => (context: Context<AppEnv>) => orProblem(context, () => show(context, oauth));
  return new Hono<AppEnv>()
    .get(RESOURCE_METADATA, (context) => resourceMetadata(context, oauth))
    .get(`${RESOURCE_METADATA}/mcp`, (context) => resourceMetadata(context, oauth))
    .on(["GET", "OPTIONS"], OAUTH_PATHS.serverMetadata, library)
    .on(["POST", "OPTIONS"], OAUTH_PATHS.token, limitBody, (context) => oneUse(() => library(context)))
    .on(["POST", "OPTIONS"], OAUTH_PATHS.register, limitBody, fewRegistrations, library)
    .get(OAUTH_PATHS.authorize, page(showKeyPage))
    .post(OAUTH_PATHS.authorize, limitBody, page(takeKey))
    .post(OAUTH_PATHS.grant, limitBody, page(takeChoice))
    .all(OAUTH_PATHS.authorize, methodNotAllowed("GET, POST"))
    .all(OAUTH_PATHS.grant, methodNotAllowed("POST"))
    .all(OAUTH_PATHS.token, methodNotAllowed("POST"))
    .all(OAUTH_PATHS.register, methodNotAllowed("POST"));
}

/** Answers what the library refuses: to the app where that is safe, otherwise to the person by a page. */
async function orProblem(context: Context<AppEnv>, show: () => Promise<Response>): Promise<Response> {
  try {
    return await show();
  } catch (thrown) {
    if (thrown instanceof AuthorizationError) {
      return thrown.redirectTo === undefined ? problemPage(context, thrown.description) : context.redirect(thrown.redirectTo, 302);
    }
    if (thrown instanceof EntryChanged) return problemPage(context, OVER);
    if (thrown instanceof CimdFetchError) return problemPage(context, UNKNOWN_APP);
    throw thrown;
  }
}

/** Of two requests at once with one code or one refresh token, one gets the library's answer. The other may try again. */
async function oneUse(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (thrown) {
    if (!(thrown instanceof EntryChanged)) throw thrown;
    const description = "The same code or token is being used at this moment. Try again in a second.";
    const body = { error: "temporarily_unavailable", error_description: description };
    return Response.json(body, { status: 503, headers: { "Retry-After": "1", "Cache-Control": "no-store" } });
  }
}

/** Anybody may register, so an address may only a few times in a minute. */
const fewRegistrations = createMiddleware<AppEnv>(async (context, next) => {
  const { address, rateLimits } = context.get("deps");
  const wait = rateLimits.signIns.waitOf(address);
  if (wait > 0) return tooManyRequests(context, `Too many sign-ins from this address. Try again in ${wait} seconds.`, wait);
  if (context.req.method === "POST") await rateLimits.signIns.refuse(address);
  return next();
});
