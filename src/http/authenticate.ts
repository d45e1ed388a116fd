import { createMiddleware } from "hono/factory";
import { ServiceFailure } from "../core/errors.ts";
import type { Tools } from "../deps.ts";
import { authenticate, type Caller, requirePermission } from "../partners/authenticate.ts";
import type { Permission } from "../partners/permissions.ts";
import type { AppEnv } from "./context.ts";

/**
 * Where an operation's key stands (interface, "Authentication"): in the header `X-Partner-Api-Key`, in the field
 * `api_key` of the body, or in either. Where both are given and differ, the header decides.
 */
export type KeyPlace = "header" | "header_or_body" | "body";

/** The header that carries a partner's key. */
export const KEY_HEADER = "X-Partner-Api-Key";

/** The places where a key can stand, as they were sent. */
interface Credentials {
  readonly header: string | undefined;
  readonly body: { readonly api_key?: unknown };
}

/**
 * Finds out who is calling, and whether the key may do this; null: any key of a partner may. One D1 round trip.
 * @throws ServiceFailure `key_missing`, `key_invalid`, `permission_missing`.
 */
export async function callerOf(db: Tools["db"], place: KeyPlace, permission: Permission | null, given: Credentials): Promise<Caller> {
  const header = given.header || undefined;
  const asked = place === "body" ? given.body.api_key : place === "header" ? header : (header ?? given.body.api_key);
  // A query of the second generation has no word for a missing key: there it is an invalid one.
  if (asked === undefined && place !== "header_or_body") throw new ServiceFailure({ kind: "key_missing", place });
  const caller = await authenticate(db, header ?? asked);
  if (permission !== null) requirePermission(caller, permission);
  return caller;
}

/** {@link callerOf} of an HTTP request, looked at before the rest of its body. */
export function authenticateBy(place: KeyPlace, permission: Permission | null) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const body: { api_key?: unknown } = place === "header" ? {} : await context.req.json();
    const credentials = { header: context.req.header(KEY_HEADER), body };
    context.set("caller", await callerOf(context.get("tools").db, place, permission, credentials));
    await next();
  });
}
