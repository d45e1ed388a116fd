import { createMiddleware } from "hono/factory";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { annotateTrace } from "../core/trace.ts";
import type { Grantee } from "../grants/grantee.ts";
import {
  type Authenticated,
  type AuthenticationDeps,
  authenticate,
  type BudgetOf,
  type Caller,
  type ParallelWork,
  requirePermission,
} from "../partners/authenticate.ts";
import type { Permission, Right } from "../partners/permissions.ts";
import { admitRequest, type Budget, type RequestKind } from "../rate-limits/admission.ts";
import type { AppEnv } from "./context.ts";
import { headerValue } from "./headers.ts";
import { KEY_HEADER } from "./key-messages.ts";

/**
 * Where an operation accepts the API key (interface K.2, K.3, K.4): in the header `X-Partner-Api-Key`, in the body
 * field `api_key`, or in either. If both are sent and differ, the header wins. A key in another place is ignored: a
 * gateway's own header must not break an operation whose key is in the body.
 */
export type KeyLocation = "header" | "header_or_body" | "body";

/** The key-related headers of a request. */
export interface KeyHeaders {
  readonly by: "key";
  readonly header: string | undefined;
  /** Whether `Authorization: Bearer` was sent, where no key is expected. */
  readonly isBearer: boolean;
}

/**
 * How a caller authenticates: by an API key, as an agent by a grant, or as a person by a session. Grants and sessions have
 * already been checked.
 */
export type Credentials =
  | KeyHeaders
  | { readonly by: "grant"; readonly grantee: Grantee }
  | { readonly by: "person"; readonly caller: Caller };

export function keyHeadersOf({ headers }: Pick<Request, "headers">): KeyHeaders {
  const isBearer = /^bearer /i.test(headerValue(headers, "Authorization") ?? "");
  return { by: "key", header: headerValue(headers, KEY_HEADER), isBearer };
}

/** The requirements of a request. */
interface Needed {
  readonly location: KeyLocation;
  /** Null: any partner key is accepted. */
  readonly permission: Right | null;
  readonly kind: RequestKind;
  /** A second permission that the caller needs; default: none. */
  readonly alsoNeeds?: (caller: Caller) => Permission | null;
  /** The environment of the request; null if it becomes known later, and is counted then. */
  readonly environment: Environment | "any" | null;
}

/** The rate-limit budget of a request. A caller without the permission uses a separate budget. */
export function budgetOf(caller: Caller, needed: Needed, environment: Environment | "any"): Budget {
  const permission = permissionsFor(needed, caller).some((one) => !caller.permissions.has(one)) ? "denied" : (needed.permission ?? "none");
  return { partnerId: caller.partnerId, kind: needed.kind, permission, environment };
}

/** All permissions that a caller needs. */
function permissionsFor({ permission, alsoNeeds }: Needed, caller: Caller): readonly Right[] {
  return [permission, alsoNeeds?.(caller) ?? null].flatMap((one) => one ?? []);
}

/**
 * Authenticates the caller and checks the permission. `body` may also contain the key. `parallel` runs in parallel with
 * the key look-up; the rows of its statement are `found`. One D1 round trip.
 * @throws ServiceFailure `key_missing`, `key_invalid`, `permission_missing`, `rate_limited`.
 */
export async function callerOf<Row>(
  deps: AuthenticationDeps,
  needed: Needed,
  given: Credentials,
  body: { readonly api_key?: unknown },
  parallel: ParallelWork<Row> = {},
): Promise<Authenticated<Row>> {
  switch (given.by) {
    case "key":
      return callerOfSentKey(deps, needed, given, body, parallel);
    case "grant":
      annotateTrace({ grant: given.grantee.grantId });
      return knownCaller(deps, needed, given.grantee.caller, "agent", parallel);
    case "person":
      return knownCaller(deps, needed, given.caller, "person", parallel);
  }
}

/** A caller that was identified before: an agent or a person. */
async function knownCaller<Row>(
  { rateLimits }: AuthenticationDeps,
  needed: Needed,
  caller: Caller,
  holder: "agent" | "person",
  { extraStatement = null }: ParallelWork<Row>,
): Promise<Authenticated<Row>> {
  annotateTrace({ partner: caller.partnerId });
  const budget = earlyBudget(needed)(caller);
  if (budget !== null) await admitRequest(rateLimits, budget);
  for (const permission of permissionsFor(needed, caller)) requirePermission(caller, permission, holder);
  return { caller, found: extraStatement === null ? [] : await extraStatement.all() };
}

async function callerOfSentKey<Row>(
  deps: AuthenticationDeps,
  needed: Needed,
  given: KeyHeaders,
  body: { readonly api_key?: unknown },
  parallel: ParallelWork<Row>,
): Promise<Authenticated<Row>> {
  const { location } = needed;
  const { header } = given;
  const asked = location === "body" ? body.api_key : location === "header" ? header : (header ?? body.api_key);
  if (asked === undefined || asked === "") {
    const { isBearer } = given;
    const isElsewhere = location === "body" ? header !== undefined : body.api_key !== undefined;
    throw new ServiceFailure(
      location === "header_or_body" ? { kind: "query_key_missing", isBearer } : { kind: "key_missing", location, isBearer, isElsewhere },
    );
  }
  const authenticated = await authenticate(deps, asked, earlyBudget(needed), parallel);
  annotateTrace({ partner: authenticated.caller.partnerId });
  for (const permission of permissionsFor(needed, authenticated.caller)) requirePermission(authenticated.caller, permission);
  return authenticated;
}

/** The budget of a request whose environment is known. A caller without the permission is counted at once. */
function earlyBudget(needed: Needed): BudgetOf {
  return (caller) => {
    const isDenied = permissionsFor(needed, caller).some((one) => !caller.permissions.has(one));
    return needed.environment === null && !isDenied ? null : budgetOf(caller, needed, needed.environment ?? "any");
  };
}

/** {@link callerOf} for an HTTP request, before the rest of its body is validated. */
export function authenticateBy(needed: Needed) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const body: { api_key?: unknown } = needed.location === "header" ? {} : await context.req.json();
    const { caller } = await callerOf(context.get("deps"), needed, keyHeadersOf(context.req.raw), body);
    context.set("caller", caller);
    await next();
  });
}
