import type { HonoRequest } from "hono";
import { createMiddleware } from "hono/factory";
import { ServiceFailure } from "../core/errors.ts";
import { noteWork } from "../core/work.ts";
import { type AuthenticationDeps, authenticate, type Caller, type MeanwhileWork, requirePermission } from "../partners/authenticate.ts";
import type { Permission } from "../partners/permissions.ts";
import type { RequestKind } from "../rate-limits/admission.ts";
import type { AppEnv } from "./context.ts";

/**
 * Where an operation accepts the API key (interface K.2, K.3, K.4): in the header `X-Partner-Api-Key`, in the body
 * field `api_key`, or in either. If both are sent and differ, the header wins.
 */
export type KeyLocation = "header" | "header_or_body" | "body";

/** The header that carries a partner's key. */
export const KEY_HEADER = "X-Partner-Api-Key";

/** The API key as sent, from each place where it is accepted. */
interface Credentials {
  readonly header: string | undefined;
  readonly body: { readonly api_key?: unknown };
  /** Whether something came as `Authorization: Bearer`, where no key is looked for. */
  readonly isBearer: boolean;
}

/** What the headers of a request say of its key. */
export function keyHeadersOf(request: Pick<HonoRequest, "header">): Omit<Credentials, "body"> {
  return { header: request.header(KEY_HEADER), isBearer: /^bearer /i.test(request.header("Authorization") ?? "") };
}

/** Who may make a request. */
interface Needed {
  readonly location: KeyLocation;
  /** Null: any partner key is accepted. */
  readonly permission: Permission | null;
  readonly kind: RequestKind;
}

/**
 * Authenticates the caller and checks the permission. `meanwhile`: work that need not
 * wait for it; the rows of its query are `found`. One D1 round trip.
 * @throws ServiceFailure `key_missing`, `key_invalid`, `permission_missing`, `rate_limited`.
 */
export async function callerOf<Row>(
  deps: AuthenticationDeps,
  { location, permission, kind }: Needed,
  given: Credentials,
  meanwhile: MeanwhileWork<Row> = { query: null, begin: null },
): Promise<{ readonly caller: Caller; readonly found: readonly Row[] }> {
  const header = given.header || undefined;
  const asked = location === "body" ? given.body.api_key : location === "header" ? header : (header ?? given.body.api_key);
  if (asked === undefined || asked === "") {
    const { isBearer } = given;
    throw new ServiceFailure(
      location === "header_or_body" ? { kind: "query_key_missing", isBearer } : { kind: "key_missing", location, isBearer },
    );
  }
  const authenticated = await authenticate(deps, header ?? asked, kind, meanwhile);
  noteWork({ partner: authenticated.caller.partnerId });
  if (permission !== null) requirePermission(authenticated.caller, permission);
  return authenticated;
}

/** {@link callerOf} for an HTTP request, before the rest of its body is validated. */
export function authenticateBy(needed: Needed) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const body: { api_key?: unknown } = needed.location === "header" ? {} : await context.req.json();
    const credentials = { ...keyHeadersOf(context.req), body };
    const { caller } = await callerOf(context.get("deps"), needed, credentials);
    context.set("caller", caller);
    await next();
  });
}
