import { annotateTrace } from "../../core/trace.ts";

/** An OAuth error (RFC 6749), also for hosts that run in a browser. `retryAfter` in seconds. */
export function oauthError(status: 400 | 413 | 429 | 503, error: string, description: string, retryAfter?: number): Response {
  annotateTrace({ outcome: "refused", code: error });
  const headers = { "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store" };
  return Response.json(
    { error, error_description: description },
    { status, headers: retryAfter === undefined ? headers : { ...headers, "Retry-After": String(retryAfter) } },
  );
}
