import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { SECOND } from "../../core/clock.ts";
import { SESSION_LASTS, type StartedSession } from "../../partners/people/sessions.ts";
import type { AppEnv } from "../context.ts";

/**
 * The cookie of a person's session. With this prefix, browsers take it over https only and send it to this host alone;
 * `localhost` counts as https.
 */
const COOKIE = "__Host-session";

/** No script reads it, and no page of another site can send it. */
const OPTIONS = { path: "/", httpOnly: true, secure: true, sameSite: "Strict" } as const;

/** Sets the cookie of a session that has just started. */
export function setSessionCookie(context: Context<AppEnv>, { token }: StartedSession): void {
  setCookie(context, COOKIE, token, { ...OPTIONS, maxAge: SESSION_LASTS / SECOND });
}

/** Makes the browser forget its session. */
export function dropSessionCookie(context: Context<AppEnv>): void {
  deleteCookie(context, COOKIE, OPTIONS);
}

/** The value of the session's cookie; null without one. A text that is no token of ours is `malformed`. */
export function sessionTokenOf(context: Context<AppEnv>): string | null {
  const value = getCookie(context, COOKIE);
  return value === undefined || value === "" ? null : value;
}
