import { createMiddleware } from "hono/factory";
import { ServiceFailure } from "../core/errors.ts";
import { authenticate, requirePermission } from "../partners/authenticate.ts";
import type { Permission } from "../partners/permissions.ts";
import type { AppEnv } from "./context.ts";

/**
 * Where an operation's key stands (interface, "Authentication"): in the header `X-Partner-Api-Key`, in the field
 * `api_key` of the body, or in either. Where both are given and differ, the header decides.
 */
export type KeyPlace = "header" | "header_or_body" | "body";

/**
 * Finds out who is calling, and whether the key may do this; null: any key of a partner may. Looked at before the rest
 * of the body. @throws ServiceFailure `key_missing`, `key_invalid`, `permission_missing`.
 */
export function authenticateBy(place: KeyPlace, permission: Permission | null) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const header = context.req.header("X-Partner-Api-Key") || undefined;
    const body: { api_key?: unknown } = place === "header" ? {} : await context.req.json();
    const asked = place === "body" ? body.api_key : (header ?? body.api_key);
    // A query of the second generation has no word for a missing key: there it is an invalid one.
    if (asked === undefined && place !== "header_or_body") throw new ServiceFailure({ kind: "key_missing" });
    const caller = await authenticate(context.get("tools").db, header ?? asked);
    if (permission !== null) requirePermission(caller, permission);
    context.set("caller", caller);
    await next();
  });
}
