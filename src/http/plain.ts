import type { Context, Handler } from "hono";
import { ServiceFailure } from "../core/errors.ts";
import { describeThrown } from "../core/log.ts";
import type { AppEnv } from "./context.ts";

/** Answers outside any operation: a short JSON text with the real status, never a page and never empty. */
export function plainError(context: Context<AppEnv>, status: 400 | 401 | 404 | 405 | 409 | 413 | 500 | 502, error: string): Response {
  return context.json({ success: false, error }, status);
}

/** 405 with the methods that the address does take. */
export function methodNotAllowed(allow: string): Handler<AppEnv> {
  return (context) => {
    context.header("Allow", allow);
    return plainError(context, 405, `This address takes ${allow} only.`);
  };
}

/** Logs what no operation foresaw, and an upstream's failure; what a caller did wrong is no news. */
export function logUnexpected(thrown: unknown, context: Context<AppEnv>, at: Readonly<Record<string, string>> = {}): void {
  const foreseen = thrown instanceof ServiceFailure && thrown.cause === undefined;
  if (foreseen) return;
  const fault = thrown instanceof ServiceFailure ? { kind: thrown.error.kind, ...describeThrown(thrown.cause) } : describeThrown(thrown);
  context.get("tools").log.error("request failed", { path: context.req.path, ...at, ...fault });
}
