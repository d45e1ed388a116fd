import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { sha256Hex } from "../../core/digest.ts";
import { rejectInput } from "../../core/errors.ts";
import { mayCall, type NeededRole, type Role, roles } from "../../operators/roles.ts";
import { findOperator } from "../../operators/store.ts";
import { CallRefusal } from "../calls/refusal.ts";
import type { AppEnv } from "../context.ts";
import { plainError, tooManyRequests } from "../error-response.ts";
import { headerValue } from "../headers.ts";
import { sessionOf } from "./session.ts";

const ALL: ReadonlySet<Role> = new Set(roles);
const ACCESS_HEADER = "Cf-Access-Jwt-Assertion";

/** The operator and the roles. */
export interface Operating {
  readonly name: string;
  /** By Cloudflare Access, or with the shared token. */
  readonly by: "access" | "token";
  readonly roles: ReadonlySet<Role>;
  /** The name of the browser's session that the shared token began; none with Access, or where each call has the token. */
  readonly session?: string;
}

/** An operator with the shared token, who may do everything. Null for another token. */
async function operatorWithToken(context: Context<AppEnv>, token: string): Promise<Operating | null> {
  const isRight = await isOpsToken(token, context.get("deps").settings.opsToken);
  return isRight ? { name: nameOf(context.req.header("X-Operator") ?? ""), by: "token", roles: ALL } : null;
}

/**
 * The operator who signed in with a browser: by Cloudflare Access with stored roles, or by a session that was started
 * with the shared token. Null without a sign-in. @throws CallRefusal 403 if the request comes from a page of another
 * site.
 */
export async function signedInOperator(context: Context<AppEnv>): Promise<Operating | null> {
  const found = await operatorOfBrowser(context);
  // Browsers send cookies by themselves, so a page of another site must not be able to change anything.
  const isLook = context.req.method === "GET" || context.req.method === "HEAD";
  if (found !== null && (!isLook || context.req.header("Origin") !== undefined)) requireOwnOrigin(context);
  return found;
}

async function operatorOfBrowser(context: Context<AppEnv>): Promise<Operating | null> {
  const { verifyAccessToken, clock, directory } = context.get("deps");
  const assertion = context.req.header(ACCESS_HEADER);
  const email = verifyAccessToken === null || assertion === undefined ? null : await verifyAccessToken(assertion, clock.now());
  if (email !== null) return { name: email, by: "access", roles: new Set((await findOperator(directory, email))?.roles) };
  const found = await sessionOf(context);
  return found === null ? null : { ...found, by: "token", roles: ALL };
}

/**
 * Browsers say which page a request comes from. The console has pages on the dashboard's host alone.
 * @throws CallRefusal 403 unless it is one of the console.
 */
export function requireOwnOrigin(context: Context<AppEnv>): void {
  const { dashboardOrigin } = context.get("deps").settings;
  const origin = context.req.header("Origin");
  if (origin === undefined || origin !== dashboardOrigin) throw new CallRefusal(403, "This request comes from another site's page.");
}

/** Logs and counts a refused sign-in. */
export async function refuseLogin(context: Context<AppEnv>): Promise<void> {
  const deps = context.get("deps");
  deps.log.error("operator refused", { path: context.req.path });
  await deps.rateLimits.operatorLogins.refuse(context.get("deps").address);
}

/** Lets only operators pass. Refusals are counted by address and logged. */
export const requireOperator = createMiddleware<AppEnv>(async (context, next) => {
  // The answer may contain a new key.
  context.header("Cache-Control", "no-store");
  const token = /^Bearer (.+)$/i.exec(headerValue(context.req.raw.headers, "Authorization") ?? "")?.[1];
  const found = await (token === undefined ? signedInOperator(context) : operatorWithToken(context, token));
  if (found === null) {
    // The correct token is recognised without a query, so it never waits. Refused requests wait for a rate-limit slot.
    const wait = await context.get("deps").rateLimits.operatorLogins.waitForSlot(context.get("deps").address);
    if (wait > 0) return tooManyRequests(context, `Too many refused logins from this address. Try again in ${wait} seconds.`, wait);
    await refuseLogin(context);
    context.header("WWW-Authenticate", "Bearer");
    return plainError(context, 401, "Send the operators' token: Authorization: Bearer <OPS_TOKEN>.");
  }
  context.set("actor", { name: found.name, requestId: context.get("requestId") });
  context.set("roles", found.roles);
  return next();
});

/** @throws CallRefusal 403 if the operator's roles do not allow the call. */
export function requireRole(held: ReadonlySet<Role>, needed: NeededRole): void {
  if (mayCall(held, needed)) return;
  const has = held.size === 0 ? "You have none" : `You have ${[...held].join(", ")}`;
  throw new CallRefusal(
    403,
    `This takes the role ${needed === "any" ? roles.join(" or ") : needed}. ${has}: an admin gives roles with \`operators set\`.`,
  );
}

/** Compares digests of equal length in constant time, so that timing reveals nothing about the token. */
export async function isOpsToken(given: string, wanted: string): Promise<boolean> {
  const [left, right] = await Promise.all([sha256Hex(given), sha256Hex(wanted)]);
  const encoder = new TextEncoder();
  return crypto.subtle.timingSafeEqual(encoder.encode(left), encoder.encode(right));
}

/** The name that a holder of the shared token gives, percent-encoded. It is not verified. */
export function nameOf(header: string): string {
  if (header === "") return "operator";
  const name = decoded(header);
  if (!/^[\p{L}\p{N}. _-]{1,64}$/u.test(name) || RESERVED.test(name))
    rejectInput(
      "X-Operator: must be a name of at most 64 characters, percent-encoded, without @, which marks the address of a sign-in, and not a name that is reserved for the service, for key holders or for partners' people",
    );
  return name;
}

/** Names that the audit log reserves for the service, and for partners' keys and people. */
const RESERVED = /^(the service$|holder of |agent |person )/i;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
