import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { sha256Hex } from "../../core/digest.ts";
import { rejectInput } from "../../core/errors.ts";
import type { AppEnv } from "../context.ts";
import { plainError } from "../error-response.ts";

/** Compares digests of equal length in constant time, so that timing reveals nothing about the token. */
export const requireOperator = createMiddleware<AppEnv>(async (context, next) => {
  const given = /^Bearer (.+)$/i.exec(context.req.header("Authorization") ?? "")?.[1] ?? "";
  const [left, right] = await Promise.all([given, context.get("deps").settings.opsToken].map(sha256Hex));
  const encoder = new TextEncoder();
  if (!crypto.subtle.timingSafeEqual(encoder.encode(left), encoder.encode(right))) {
    context.header("WWW-Authenticate", "Bearer");
    return plainError(context, 401, "Send the operators' token: Authorization: Bearer <OPS_TOKEN>.");
  }
  return next();
});

/** The operator's name for the audit log, percent-encoded. Operators share one token, so the name is not verified. */
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
