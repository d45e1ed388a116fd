import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import type { z } from "zod";
import { rejectInput, ServiceFailure } from "../../core/errors.ts";
import type { Tools } from "../../deps.ts";
import { authenticate, type Caller, requirePermission } from "../../partners/authenticate.ts";
import type { Permission } from "../../partners/permissions.ts";
import { limitBody, requireJsonObject } from "../body.ts";
import type { AppEnv } from "../context.ts";

/**
 * An operation of the second generation, said once: its route comes from this, and whatever else speaks of the
 * operation (a tool, a description, a test) is to come from it too.
 */
interface Definition<Input extends z.ZodType, Output extends z.ZodObject> {
  /** The path's last segment, and the operation's name everywhere. */
  readonly name: string;
  readonly summary: string;
  readonly permission: Permission;
  /** Where the key may stand, and so what a missing one is called: creations know `AUTH_REQUIRED`, queries do not. */
  readonly key: "header" | "header_or_body";
  readonly input: Input;
  /** The answer without `success`. */
  readonly output: Output;
  /** Carries out the request. Throws ServiceFailure; the surface turns it into its own words. */
  run(tools: Tools, caller: Caller, input: z.output<Input>): Promise<z.input<Output>>;
}

export interface Operation {
  readonly name: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly key: "header" | "header_or_body";
  readonly input: z.ZodType;
  readonly output: z.ZodObject;
  readonly routes: Hono<AppEnv>;
}

/** The operation with its route: body, key, permission and shape are checked in this order before `run` sees it. */
export function defineOperation<Input extends z.ZodType, Output extends z.ZodObject>(definition: Definition<Input, Output>): Operation {
  const { name, summary, permission, input, output } = definition;
  const routes = new Hono<AppEnv>().post(
    `/${name}`,
    limitBody,
    requireJsonObject,
    authenticateBy(definition.key, permission),
    zValidator("json", input, (checked) => {
      if (!checked.success) rejectIssue(checked.error.issues[0]);
    }),
    async (context) => {
      const answer = await definition.run(context.get("tools"), context.get("caller"), context.req.valid("json"));
      return context.json({ success: true, ...answer });
    },
  );
  return { name, summary, permission, key: definition.key, input, output, routes };
}

/** The header decides; a query also takes the key from the body. The permission is looked at before the rest of the body. */
function authenticateBy(place: Definition<never, never>["key"], permission: Permission) {
  return createMiddleware<AppEnv>(async (context, next) => {
    const header = context.req.header("X-Partner-Api-Key") ?? "";
    const body: { api_key?: unknown } = header === "" && place === "header_or_body" ? await context.req.json() : {};
    const key = header === "" ? body.api_key : header;
    if (place === "header" && key === undefined) throw new ServiceFailure({ kind: "key_missing" });
    const caller = await authenticate(context.get("tools").db, key);
    requirePermission(caller, permission);
    context.set("caller", caller);
    await next();
  });
}

function rejectIssue(issue: z.core.$ZodIssue | undefined): never {
  const field = (issue?.path ?? []).reduce<string>(
    (path, part) => (typeof part === "number" ? `${path}[${part}]` : path === "" ? String(part) : `${path}.${String(part)}`),
    "",
  );
  const message = issue?.message ?? "the body is not of the documented shape";
  return field === "" ? rejectInput(message) : rejectInput(`${field}: ${message}`, field);
}
