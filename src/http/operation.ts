import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import type { z } from "zod";
import { rejectInput } from "../core/errors.ts";
import type { Tools } from "../deps.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Permission } from "../partners/permissions.ts";
import { authenticateBy, type KeyPlace } from "./authenticate.ts";
import { limitBody, requireJsonObject, takeNoBodyAsEmpty } from "./body.ts";
import type { AppEnv } from "./context.ts";

/** The paths of the two generations; neither has its version in them (interface, "Versioning"). */
const PREFIXES = { v1: "/webhook/", v2: "/" } as const;

/**
 * An operation, said once: its route comes from this, and whatever else speaks of the operation (a tool, a
 * description, a test) is to come from it too.
 */
interface Definition<Input extends z.ZodType, Output extends z.ZodObject> {
  /** The path's last segment, and the operation's name everywhere. */
  readonly name: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly key: KeyPlace;
  readonly input: Input;
  /** Whether it asks nothing, and so may be called without a body. */
  readonly bodyless?: boolean;
  /** The answer without `success`. */
  readonly output: Output;
  /** Carries out the request. Throws ServiceFailure; the generation turns it into its own words. */
  run(tools: Tools, caller: Caller, input: z.output<Input>): Promise<z.input<Output>>;
}

export interface Operation {
  readonly name: string;
  readonly path: string;
  readonly summary: string;
  readonly permission: Permission;
  readonly key: KeyPlace;
  readonly input: z.ZodType;
  readonly bodyless: boolean;
  readonly output: z.ZodObject;
  readonly routes: Hono<AppEnv>;
}

/** The operation with its route: body, key, permission and shape are checked in this order before `run` sees it. */
export function defineOperation<Input extends z.ZodType, Output extends z.ZodObject>(
  generation: keyof typeof PREFIXES,
  definition: Definition<Input, Output>,
): Operation {
  const { name, summary, permission, key, input, output, bodyless = false } = definition;
  const path = `${PREFIXES[generation]}${name}`;
  const routes = new Hono<AppEnv>();
  if (bodyless) routes.post(path, takeNoBodyAsEmpty);
  routes.post(path, limitBody, requireJsonObject, authenticateBy(key, permission), checkShape(input), async (context) => {
    const answer = await definition.run(context.get("tools"), context.get("caller"), context.req.valid("json"));
    return context.json({ success: true, ...answer });
  });
  return { name, path, summary, permission, key, input, bodyless, output, routes };
}

/** Holds the body against a shape. @throws ServiceFailure `invalid_input`, naming the first field that is off. */
export function checkShape<Input extends z.ZodType>(input: Input) {
  return zValidator("json", input, (checked) => {
    if (!checked.success) rejectIssue(checked.error.issues[0]);
  });
}

function rejectIssue(issue: z.core.$ZodIssue | undefined): never {
  const field = (issue?.path ?? []).reduce<string>(
    (path, part) => (typeof part === "number" ? `${path}[${part}]` : path === "" ? String(part) : `${path}.${String(part)}`),
    "",
  );
  const message = plainly(issue?.message ?? "the body is not of the documented shape");
  return field === "" ? rejectInput(message) : rejectInput(`${field}: ${message}`, field);
}

/** The validator's own words for a wrong type, said to somebody who does not know it. */
function plainly(message: string): string {
  const [, wanted = "", got = ""] = /^Invalid input: expected (\w+), received (.+)$/.exec(message) ?? [];
  if (wanted === "") return message;
  return got === "undefined" ? `is missing: give ${withArticle(wanted)}` : `must be ${withArticle(wanted)}, not ${got}`;
}

function withArticle(type: string): string {
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}
