import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { sha256Hex } from "../../core/digest.ts";
import { rejectInput } from "../../core/errors.ts";
import type { AppEnv } from "../context.ts";
import { plainError } from "../plain.ts";

/** Compared by digests of equal length, so that the time it takes says nothing of the token. */
export const requireOperator = createMiddleware<AppEnv>(async (context, next) => {
  const given = /^Bearer (.+)$/i.exec(context.req.header("Authorization") ?? "")?.[1] ?? "";
  const [left, right] = await Promise.all([given, context.get("tools").settings.opsToken].map(sha256Hex));
  const encoder = new TextEncoder();
  if (!crypto.subtle.timingSafeEqual(encoder.encode(left), encoder.encode(right))) {
    context.header("WWW-Authenticate", "Bearer");
    return plainError(context, 401, "Send the operators' token: Authorization: Bearer <OPS_TOKEN>.");
  }
  return next();
});

/** Who did it, for the audit log: operators share one token, so a name is taken at its word. Percent-encoded on the wire. */
export function actorOf(context: Context<AppEnv>): string {
  const header = context.req.header("X-Operator") ?? "";
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
