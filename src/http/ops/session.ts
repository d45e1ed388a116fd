import type { Context } from "hono";
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import { SECOND } from "../../core/clock.ts";
import { endOwnSession, findSession, OPERATOR_SESSION_LASTS, startSession } from "../../operators/sessions.ts";
import type { AppEnv } from "../context.ts";

const COOKIE = "__Host-ops-session";

/** The cookie is for this host only, is never sent from another site's page, and no script can read it. */
const COOKIE_OPTIONS = { path: "/", httpOnly: true, secure: true, sameSite: "Strict", maxAge: OPERATOR_SESSION_LASTS / SECOND } as const;

/**
 * Starts a browser session for an operator with the shared token, and ends the browser's previous one. `name` is the
 * name that they entered.
 */
export async function beginSession(context: Context<AppEnv>, name: string): Promise<void> {
  const deps = context.get("deps");
  const before = await sentToken(context);
  if (before !== null) await endOwnSession(deps, before, context.get("requestId"));
  const holder = { name, requestId: context.get("requestId") };
  const token = await startSession(deps, deps.settings.opsToken, holder, context.req.header("User-Agent") ?? "");
  await setSignedCookie(context, COOKIE, token, cookieSecret(deps), COOKIE_OPTIONS);
}

/** Ends the browser's session in the database, not only its cookie. */
export async function endSession(context: Context<AppEnv>): Promise<void> {
  const token = await sentToken(context);
  if (token !== null) await endOwnSession(context.get("deps"), token, context.get("requestId"));
  deleteCookie(context, COOKIE, COOKIE_OPTIONS);
}

/**
 * The session of the browser; null if there is none, or it has expired. An invented cookie costs no query, because cookies
 * are signed.
 */
export async function sessionOf(context: Context<AppEnv>) {
  const deps = context.get("deps");
  const token = await sentToken(context);
  return token === null ? null : findSession(deps, deps.settings.opsToken, token);
}

async function sentToken(context: Context<AppEnv>): Promise<string | null> {
  const value = await getSignedCookie(context, cookieSecret(context.get("deps")), COOKIE);
  return typeof value === "string" ? value : null;
}

function cookieSecret({ settings }: AppEnv["Variables"]["deps"]): string {
  return `session ${settings.opsToken}`;
}
