import { zValidator } from "@hono/zod-validator";
import { Hono } from "hono";
import type { z } from "zod";
import { type ServiceError, ServiceFailure } from "../core/errors.ts";
import type { Tools } from "../deps.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Permission } from "../partners/permissions.ts";
import { callerOf, KEY_HEADER, type KeyPlace } from "./authenticate.ts";
import { checkReadable, limitBody, readJson } from "./body.ts";
import type { AppEnv } from "./context.ts";
import { plainly } from "./plain-words.ts";

/** The paths of the two generations; neither has its version in them (interface, "Versioning"). */
const PREFIXES = { v1: "/webhook/", v2: "/" } as const;

type Generation = keyof typeof PREFIXES;
type FailureKind = ServiceError["kind"];

/** What an agent, or whoever stands beside it, may know of a call before it is made. */
export interface Effect {
  readonly readOnly: boolean;
  /** Whether it takes the place of something that was there. */
  readonly destructive: boolean;
  /** Whether the same call again changes nothing more. */
  readonly idempotent: boolean;
  /** Whether it reaches the processor or the bank. */
  readonly openWorld: boolean;
}

/** The effect of an operation that only looks. */
export const READS: Effect = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * An operation, said once: its route, its tool, its entry in the API description and the tests that hold all three
 * together come from this.
 */
interface Definition<Input extends z.ZodType, Output extends z.ZodObject> {
  /** The path's last segment, and the operation's name everywhere. */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** What somebody who has only this must know to use it well; Markdown. */
  readonly description: string;
  readonly permission: Permission;
  readonly key: KeyPlace;
  readonly effect: Effect;
  readonly input: Input;
  /** Whether it asks nothing, and so may be called without a body. */
  readonly bodyless?: boolean;
  /** The answer without `success`. */
  readonly output: Output;
  /** How it can fail, beside {@link EVERYWHERE}. */
  readonly fails: readonly FailureKind[];
  /** A request without its key, and an answer to it. On a fresh local stack a creation works as it stands here. */
  readonly example: { readonly request: z.input<Input>; readonly response: z.output<Output> };
  /** Carries out the request. Throws ServiceFailure; the generation turns it into its own words. */
  readonly run: (tools: Tools, caller: Caller, input: z.output<Input>) => Promise<z.input<Output>>;
}

export interface Operation {
  readonly name: string;
  readonly generation: Generation;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly permission: Permission;
  readonly key: KeyPlace;
  readonly effect: Effect;
  readonly input: z.ZodType;
  readonly bodyless: boolean;
  readonly output: z.ZodObject;
  readonly failures: readonly FailureKind[];
  readonly example: { readonly request: unknown; readonly response: object };
  readonly routes: Hono<AppEnv>;
  /**
   * Carries out a request, whichever way it came: `header` is the key in the header, `body` whatever JSON was sent.
   * @throws ServiceFailure, which the generation's words are then found for (failures.ts).
   */
  readonly invoke: (tools: Tools, header: string | undefined, body: unknown) => Promise<{ success: true } & Record<string, unknown>>;
}

/** How any operation can fail. */
const EVERYWHERE: readonly FailureKind[] = ["invalid_input", "key_invalid", "permission_missing", "internal"];

/** The operation with its route. Key, permission and shape are checked in this order before `run` sees the request. */
export function defineOperation<Input extends z.ZodType, Output extends z.ZodObject>(
  generation: Generation,
  definition: Definition<Input, Output>,
): Operation {
  const { run, fails, bodyless = false, ...said } = definition;
  const { key, permission, input } = said;
  const path = `${PREFIXES[generation]}${said.name}`;
  const invoke: Operation["invoke"] = async (tools, header, body) => {
    checkReadable(body);
    const caller = await callerOf(tools.db, key, permission, { header, body });
    return { success: true, ...(await run(tools, caller, parseInput(input, body))) };
  };
  const routes = new Hono<AppEnv>().post(path, limitBody, async (context) => {
    const body = await readJson(context.req, { orNone: bodyless });
    return context.json(await invoke(context.get("tools"), context.req.header(KEY_HEADER), body));
  });
  const failures = [...EVERYWHERE, ...(key === "header_or_body" ? [] : (["key_missing"] as const)), ...fails];
  return { ...said, generation, path, bodyless, failures, routes, invoke };
}

/** What was sent, held against a shape. @throws ServiceFailure `invalid_input`, naming the first field that is off. */
export function parseInput<Shape extends z.ZodType>(shape: Shape, sent: unknown): z.output<Shape> {
  const checked = shape.safeParse(sent);
  if (!checked.success) throw new ServiceFailure(faultOf(checked.error.issues[0]));
  return checked.data;
}

/** The same for a route with a validator of its own. @throws ServiceFailure `invalid_input`, naming the first field that is off. */
export function checkShape<Input extends z.ZodType>(input: Input) {
  return zValidator("json", input, (checked) => {
    if (!checked.success) throw new ServiceFailure(faultOf(checked.error.issues[0]));
  });
}

/** What is wrong with a body, named by its field's path as sent. */
export function faultOf(issue: z.core.$ZodIssue | undefined): Extract<ServiceError, { kind: "invalid_input" }> {
  const field = (issue?.path ?? []).reduce<string>(
    (path, part) => (typeof part === "number" ? `${path}[${part}]` : path === "" ? String(part) : `${path}.${String(part)}`),
    "",
  );
  const message = issue === undefined ? "the body is not of the documented shape" : plainly(issue);
  return { kind: "invalid_input", ...(field === "" ? { message } : { message: `${field}: ${message}`, field }) };
}
