import { GrantType, OAuthAuthorizationServer, OAuthError, type OAuthHelpers } from "@cloudflare/workers-oauth-provider";
import * as z from "zod";
import { DAY, MINUTE, SECOND } from "../../core/clock.ts";
import { lazy } from "../../core/lazy.ts";
import { limits } from "../../core/limits.ts";
import type { Deps } from "../../deps.ts";
import { OAuthEntries } from "../../grants/entries.ts";
import { type Grantee, granteeOf, isPaused } from "../../grants/grantee.ts";
import type { Permission } from "../../partners/permissions.ts";

/**
 * The permissions that an agent can get, with the words of the consent page; reading ones come first. No tool needs
 * another permission.
 */
export const OFFERED = {
  balance_view: "See what was paid, refunded and disputed",
  products_view: "See live payment links",
  product_create: "Make payment links and promotion codes",
  bank_payment: "Make ruble payments",
  webhook_config: "Change where events go, and read their signing secrets",
} as const satisfies Partial<Record<Permission, string>>;

type OfferedPermission = keyof typeof OFFERED;

/** The permissions that are ticked by default, if the agent did not ask for particular ones. */
export const ONLY_LOOKS: readonly OfferedPermission[] = ["balance_view", "products_view"];

/** Whether a text is a permission that agents can get. */
export function isOffered(text: string): text is OfferedPermission {
  return Object.hasOwn(OFFERED, text);
}

/** The paths of sign-in. The library serves tokens and registration; the page is ours. */
export const OAUTH_PATHS = {
  authorize: "/oauth/authorize",
  grant: "/oauth/grant",
  token: "/oauth/token",
  register: "/oauth/register",
  serverMetadata: "/.well-known/oauth-authorization-server",
} as const;

/** What the library gets with each request: its storage, and the inputs of its callback. */
interface OAuthEnv {
  readonly OAUTH_KV: OAuthEntries;
  readonly deps: Deps;
}

/** The content of each token. */
const grantReference = z.object({ grantId: z.string(), keyId: z.string() });

/** Signing in of agents to `/mcp`, by OAuth 2.1 as the agents' protocol describes it. */
export interface OAuthServer {
  /** The address of the protected resource. */
  readonly resource: string;
  readonly issuer: string;
  /** Writes our address as we do, where a host put a slash behind it. */
  nameResource(fields: URLSearchParams): void;
  /** The library's own endpoints: metadata, tokens, revocation, registration. */
  fetch(request: Request, deps: Deps, context: ExecutionContext): Promise<Response>;
  /** The library's helpers for the page. */
  helpers(deps: Deps): OAuthHelpers;
  /** The grantee of a token at this moment; null if the token is invalid. Two D1 round trips. */
  granteeOf(deps: Deps, token: string): Promise<Grantee | null>;
  /** Whether a token gives nothing only for now: its partner or person is disabled. */
  isPaused(deps: Deps, token: string): Promise<boolean>;
}

/** Builds the server for an API at this origin. The library is built on first use, because few isolates need it. */
export function createOAuthServer(apiOrigin: string): OAuthServer {
  const resource = `${apiOrigin}/mcp`;
  const server = lazy(() => buildServer(apiOrigin, resource));
  return {
    resource,
    issuer: apiOrigin,
    nameResource(fields) {
      if (fields.get("resource") === `${resource}/` && fields.getAll("resource").length === 1) fields.set("resource", resource);
    },
    fetch: (request, deps, context) => server().fetch(request, envOf(deps), context),
    helpers: (deps) => server().getOAuthApi(envOf(deps)),
    async granteeOf(deps, token) {
      const valid = await validated(deps, token);
      const grantee = valid && (await granteeOf(deps, valid.reference));
      return grantee && withinScope(grantee, valid?.scope ?? []);
    },
    async isPaused(deps, token) {
      const valid = await validated(deps, token);
      return valid !== null && isPaused(deps, valid.reference);
    },
  };

  async function validated(deps: Deps, token: string) {
    if (!TOKEN.test(token)) return null;
    const valid = await server().validateToken<unknown>(resource, token, envOf(deps)).catch(unreadable);
    const reference = grantReference.safeParse(valid?.props);
    return valid === null || !reference.success ? null : { reference: reference.data, scope: valid.scope };
  }
}

/** What a host is answered whose access is there again once its partner, or the person of its key, is enabled. */
export const PAUSED = { code: "temporarily_unavailable", status: 503, says: "This account is disabled for now. Try again later." } as const;

/**
 * Marks the library's answer to a refresh token of a known grant that is neither its current one nor the previous one.
 */
export const REPLACED = "X-Replaced-Refresh-Token";

/** The form of the library's tokens: the ids of key and grant, and a secret. */
const TOKEN = /^[\w-]+:[\w-]+:[\w-]+$/;

/** A host may ask for a token with fewer permissions than the grant. */
function withinScope(grantee: Grantee, scope: readonly string[]): Grantee {
  const permissions = [...grantee.caller.permissions].filter((permission) => scope.includes(permission));
  return { ...grantee, caller: { ...grantee.caller, permissions: new Set(permissions) } };
}

/** The library may throw for a text that is no token. Other errors are ours. */
function unreadable(thrown: unknown): null {
  if (thrown instanceof DOMException && thrown.name === "OperationError") return null;
  throw thrown;
}

function envOf(deps: Deps): OAuthEnv {
  return { OAUTH_KV: new OAuthEntries(deps), deps };
}

function buildServer(issuer: string, resource: string): OAuthAuthorizationServer<OAuthEnv> {
  const days = (limits.grant.days * DAY) / SECOND;
  return new OAuthAuthorizationServer<OAuthEnv>({
    issuer,
    resources: [resource],
    authorizeEndpoint: OAUTH_PATHS.authorize,
    tokenEndpoint: OAUTH_PATHS.token,
    clientRegistrationEndpoint: OAUTH_PATHS.register,
    clientIdMetadataDocumentEnabled: true,
    // Apps on a person's own machine have a scheme of theirs (RFC 8252): `example-editor://…`. The page names it.
    allowPrivateUseRedirectUris: true,
    scopesSupported: Object.keys(OFFERED),
    accessTokenTTL: (limits.grant.tokenMinutes * MINUTE) / SECOND,
    refreshTokenTTL: days,
    clientRegistrationTTL: days,
    // A grant that has ended gives no tokens, even for a valid refresh token. The library ends it for good upon `invalid_grant`, so one
    // whose partner or person is disabled is not answered so.
    async tokenExchangeCallback({ grantType, props, env: { deps } }) {
      if (grantType !== GrantType.AUTHORIZATION_CODE && grantType !== GrantType.REFRESH_TOKEN) return;
      const reference = grantReference.parse(props);
      if ((await granteeOf(deps, reference)) === null) {
        if (await isPaused(deps, reference)) throw new OAuthError(PAUSED.code, { statusCode: PAUSED.status, description: PAUSED.says });
        throw new OAuthError("invalid_grant", { description: "This access has ended. Sign in again." });
      }
    },
    // The library's reasons are not logged: some quote the request. The request log has the status. Only this one needs
    // an action.
    onError({ code, description, status, headers, internal }) {
      if (internal.reason !== "refresh_token_mismatch") return;
      const body = { error: code, error_description: description };
      return Response.json(body, { status, headers: { ...headers, [REPLACED]: "true" } });
    },
  });
}
