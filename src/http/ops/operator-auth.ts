import { createMiddleware } from "hono/factory";
import { sha256Hex } from "../../core/digest.ts";
import { rejectInput } from "../../core/errors.ts";
import { mayCall, type NeededRole, type Role, roles } from "../../operators/roles.ts";
import { findOperator } from "../../operators/store.ts";
import type { AppEnv } from "../context.ts";
import { plainError } from "../error-response.ts";
import { OpsRefusal } from "./refusal.ts";

const ALL: ReadonlySet<Role> = new Set(roles);
const ACCESS_HEADER = "Cf-Access-Jwt-Assertion";

/**
 * Finds out who operates: by the shared token, which may do everything, or by the token of Cloudflare Access, whose person
 * has roles. Refusals are counted by address and logged.
 */
export const requireOperator = createMiddleware<AppEnv>(async (context, next) => {
  const deps = context.get("deps");
  const address = context.req.header("CF-Connecting-IP") ?? "unknown";
  const wait = deps.operatorLogins.waitOf(address);
  if (wait > 0) {
    context.header("Retry-After", String(wait));
    return plainError(context, 429, `Too many refused logins from this address. Try again in ${wait} seconds.`);
  }
  const token = /^Bearer (.+)$/i.exec(context.req.header("Authorization") ?? "")?.[1];
  const found = token === undefined ? await signedIn() : (await isOpsToken(token, deps.settings.opsToken)) ? namedByHeader() : null;
  if (found === null) {
    deps.log.error("operator refused", { path: context.req.path, with: token === undefined ? "sign-in" : "token" });
    await deps.operatorLogins.refuse(address);
    context.header("WWW-Authenticate", "Bearer");
    return plainError(context, 401, "Send the operators' token: Authorization: Bearer <OPS_TOKEN>.");
  }
  context.set("actor", { name: found.name, requestId: context.get("requestId") });
  context.set("roles", found.roles);
  return next();

  function namedByHeader() {
    return { name: nameOf(context.req.header("X-Operator") ?? ""), roles: ALL };
  }

  async function signedIn() {
    const assertion = context.req.header(ACCESS_HEADER);
    if (deps.verifyAccessToken === null || assertion === undefined) return null;
    const email = await deps.verifyAccessToken(assertion, deps.clock.now());
    if (email === null) return null;
    // A browser sends the sign-in by itself, so another site's page must not be able to change anything.
    const origin = context.req.header("Origin");
    if (origin !== undefined && origin !== deps.settings.apiOrigin)
      throw new OpsRefusal(403, "This request comes from another site's page.");
    const operator = await findOperator(deps.directory, email);
    return { name: email, roles: new Set(operator?.roles) };
  }
});

/** @throws OpsRefusal 403 if the person may not make a call of this role. */
export function requireRole(held: ReadonlySet<Role>, needed: NeededRole): void {
  if (mayCall(held, needed)) return;
  const has = held.size === 0 ? "You have none" : `You have ${[...held].join(", ")}`;
  throw new OpsRefusal(
    403,
    `This takes the role ${needed === "any" ? roles.join(" or ") : needed}. ${has}: an admin gives roles with \`operators set\`.`,
  );
}

/** Compares digests of equal length in constant time, so that timing reveals nothing about the token. */
async function isOpsToken(given: string, wanted: string): Promise<boolean> {
  const [left, right] = await Promise.all([sha256Hex(given), sha256Hex(wanted)]);
  const encoder = new TextEncoder();
  return crypto.subtle.timingSafeEqual(encoder.encode(left), encoder.encode(right));
}

/** The name that somebody with the shared token gives, percent-encoded. It is not verified. */
function nameOf(header: string): string {
  if (header === "") return "operator";
  const name = decoded(header);
  if (!/^[\p{L}\p{N}.@ _-]{1,64}$/u.test(name)) rejectInput("X-Operator: must be a name of at most 64 characters, percent-encoded");
  return name;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
