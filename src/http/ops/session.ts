import type { Context } from "hono";
import { deleteCookie, getSignedCookie, setSignedCookie } from "hono/cookie";
import * as z from "zod";
import { HOUR, SECOND } from "../../core/clock.ts";
import { parseJson } from "../../core/json.ts";
import type { AppEnv } from "../context.ts";

/** How long a browser session lasts. */
const LASTS = 8 * HOUR;
const COOKIE = "ops_session";

const sessionSchema = z.object({ name: z.string(), until: z.number() });

/** The cookie is for this host alone, never sent from another site's page, and no script can read it. */
function cookieOptions({ settings }: AppEnv["Variables"]["deps"]) {
  return { path: "/ops", httpOnly: true, secure: !settings.local, sameSite: "Strict", maxAge: LASTS / SECOND } as const;
}

/** Begins a browser session for somebody who gave the shared token. `name`: what they call themselves. */
export async function beginSession(context: Context<AppEnv>, name: string): Promise<void> {
  const deps = context.get("deps");
  const value = JSON.stringify({ name, until: deps.clock.now() + LASTS });
  await setSignedCookie(context, COOKIE, value, sessionSecret(deps), cookieOptions(deps));
}

export function endSession(context: Context<AppEnv>): void {
  deleteCookie(context, COOKIE, { path: "/ops" });
}

/** Whose session it is; null if there is none, or if it is over or was not signed by us. */
export async function sessionName(context: Context<AppEnv>): Promise<string | null> {
  const deps = context.get("deps");
  const value = await getSignedCookie(context, sessionSecret(deps), COOKIE);
  if (typeof value !== "string") return null;
  const { name, until } = parseJson(sessionSchema, value);
  return deps.clock.now() < until ? name : null;
}

/** Sessions end with the token that began them. */
function sessionSecret({ settings }: AppEnv["Variables"]["deps"]): string {
  return `session ${settings.opsToken}`;
}
