import type { Context, Handler } from "hono";
import { ServiceFailure } from "../core/errors.ts";
import { errorFields } from "../core/log.ts";
import type { AppEnv } from "./context.ts";

/** An error response outside any operation (interface G.5): short JSON with the real HTTP status, never HTML and never empty. */
export function plainError(
  context: Context<AppEnv>,
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 502,
  error: string,
): Response {
  return context.json({ success: false, error }, status);
}

/** 405 with the methods that the path allows. */
export function methodNotAllowed(allow: string): Handler<AppEnv> {
  return (context) => {
    context.header("Allow", allow);
    return plainError(context, 405, `This address takes ${allow} only.`);
  };
}

/** Logs unexpected errors and upstream failures. Errors that the caller caused are not logged. */
export function logUnexpected(thrown: unknown, context: Context<AppEnv>, at: Readonly<Record<string, string>> = {}): void {
  const foreseen = thrown instanceof ServiceFailure && thrown.cause === undefined;
  if (foreseen) return;
  const fault = thrown instanceof ServiceFailure ? { kind: thrown.error.kind, ...errorFields(thrown.cause) } : errorFields(thrown);
  context.get("deps").log.error("request failed", { path: context.req.path, ...at, ...fault });
}
