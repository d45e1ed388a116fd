import { AuthorizationError, CimdFetchError } from "@cloudflare/workers-oauth-provider";
import { type Context, Hono } from "hono";
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { limits } from "../../core/limits.ts";
import { EntryChanged, EntryTooLong } from "../../grants/entries.ts";
import { limitBodyTo } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed } from "../error-response.ts";
import { RESOURCE_METADATA, resourceMetadata } from "./challenge.ts";
import { problemPage } from "./page-parts.tsx";
import { OAUTH_PATHS, type OAuthServer } from "./server.ts";
import { showKeyPage, takeChoice, takeKey } from "./sign-in.tsx";
import { answerToken, oauthError } from "./token-endpoint.ts";

const OVER = "This page has expired, was already used, or was opened in another browser.";
const UNKNOWN_APP = "The app's own description could not be read, so the app cannot be identified.";
const APP_TOO_LONG = `The app sends more than ${limits.unproven.bytes} bytes with its request, which is too much for an app without a sign-in so far.`;
const TOO_LONG = `The request is longer than ${limits.body.bytes} bytes.`;

const limitForm = limitBodyTo(limits.body.bytes, () => Response.json({ success: false, error: TOO_LONG }, { status: 413 }));
const limitRequest = limitBodyTo(limits.body.bytes, () => oauthError(413, "invalid_request", TOO_LONG));

/**
 * Sign-in for hosts of agents that cannot send an API key: a person pastes a key, and chooses what the host may do. The
 * library keeps the request between the pages, so that no form can change it.
 */
export function oauthRoutes(oauth: OAuthServer): Hono<AppEnv> {
  const library = (context: Context<AppEnv>) => oauth.fetch(context.req.raw, context.get("deps"), context.env.execution);
  const page = (show: typeof showKeyPage) => (context: Context<AppEnv>) => orProblem(context, () => show(context, oauth));
  const metadata = (context: Context<AppEnv>) => resourceMetadata(context, oauth);
  return new Hono<AppEnv>()
    .use(`${RESOURCE_METADATA}/*`, cors())
    .get(RESOURCE_METADATA, metadata)
    .on("GET", [`${RESOURCE_METADATA}/mcp`, `${RESOURCE_METADATA}/mcp/`], metadata)
    .on(["GET", "OPTIONS"], OAUTH_PATHS.serverMetadata, library)
    .on("OPTIONS", [OAUTH_PATHS.token, OAUTH_PATHS.register], library)
    .post(OAUTH_PATHS.token, limitRequest, (context) => answerToken(context, oauth))
    .post(OAUTH_PATHS.register, limitRequest, async (context) => {
      const wait = await waitOf(context);
      return wait > 0 ? tooMany(wait) : withinSize(() => library(context));
    })
    .get(OAUTH_PATHS.authorize, async (context) => {
      // A HEAD request starts nothing.
      if (context.req.method === "HEAD") return context.body(null);
      const wait = await waitOf(context);
      return wait > 0 ? problemPage(context, tooManyText(wait), 429) : page(showKeyPage)(context);
    })
    .post(OAUTH_PATHS.authorize, limitForm, counted, page(takeKey))
    .post(OAUTH_PATHS.grant, limitForm, counted, page(takeChoice))
    .all(OAUTH_PATHS.authorize, methodNotAllowed("GET, POST"))
    .all(OAUTH_PATHS.grant, methodNotAllowed("POST"))
    .all(OAUTH_PATHS.token, methodNotAllowed("POST"))
    .all(OAUTH_PATHS.register, methodNotAllowed("POST"));
}

/**
 * Answers a refusal of the library by a page. The browser is not redirected automatically: anyone can register an
 * address, and a link to this host must not lead there before a person has seen which app asks.
 */
async function orProblem(context: Context<AppEnv>, show: () => Promise<Response>): Promise<Response> {
  try {
    return await show();
  } catch (thrown) {
    if (thrown instanceof AuthorizationError) return problemPage(context, thrown.description);
    if (thrown instanceof EntryChanged) return problemPage(context, OVER);
    if (thrown instanceof EntryTooLong) return problemPage(context, APP_TOO_LONG);
    if (thrown instanceof CimdFetchError) return problemPage(context, UNKNOWN_APP);
    throw thrown;
  }
}

/** A registration that is too long is the host's error. */
async function withinSize(answer: () => Promise<Response>): Promise<Response> {
  try {
    return await answer();
  } catch (thrown) {
    if (!(thrown instanceof EntryTooLong)) throw thrown;
    return oauthError(400, "invalid_client_metadata", `A registration is stored with at most ${limits.unproven.bytes} bytes.`);
  }
}

/** A page's answer is looked up before its sender is known, so it is counted. */
const counted = createMiddleware<AppEnv>(async (context, next) => {
  const wait = await waitOf(context);
  return wait > 0 ? problemPage(context, tooManyText(wait), 429) : next();
});

/** Registrations and pages are public, so an address gets a few per minute. Returns the seconds to wait; 0 for none. */
async function waitOf(context: Context<AppEnv>): Promise<number> {
  const { address, rateLimits } = context.get("deps");
  const wait = rateLimits.signIns.waitOf(address);
  if (wait === 0) await rateLimits.signIns.refuse(address);
  return wait;
}

function tooManyText(wait: number): string {
  return `Too many sign-ins from this address. Try again in ${wait} seconds.`;
}

function tooMany(wait: number): Response {
  return oauthError(429, "temporarily_unavailable", tooManyText(wait), wait);
}
