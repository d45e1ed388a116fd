import type { Context } from "hono";
import type { AppEnv } from "../context.ts";
import type { OAuthServer } from "./server.ts";

/** The metadata that tells a host how to sign in (RFC 9728). */
export const RESOURCE_METADATA = "/.well-known/oauth-protected-resource";

/** Adds to an answer how to sign in, with 401 (RFC 6750, RFC 9728). `error`: why the sent credential is not enough. */
export function challenge(answer: Response, { issuer, resource }: OAuthServer, error?: "invalid_token"): Response {
  const metadata = `${issuer}${RESOURCE_METADATA}${new URL(resource).pathname}`;
  const parts = [`realm="partner-payments"`, ...(error === undefined ? [] : [`error="${error}"`]), `resource_metadata="${metadata}"`];
  const headers = new Headers(answer.headers);
  headers.set("WWW-Authenticate", `Bearer ${parts.join(", ")}`);
  return new Response(answer.body, { status: 401, headers });
}

/**
 * The metadata of the protected resource and its authorization server (RFC 9728). No scopes: a person chooses on the
 * page.
 */
export function resourceMetadata(context: Context<AppEnv>, { issuer, resource }: OAuthServer): Response {
  return context.json({
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ["header"],
    resource_name: "Partner payments",
    resource_documentation: `${issuer}/docs/agents`,
  });
}
