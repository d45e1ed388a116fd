import { type Hook, zValidator } from "@hono/zod-validator";
import { type Context, Hono } from "hono";
import type { z } from "zod";
import { type Environment, environments } from "../core/environment.ts";
import { type OperationError, ServiceFailure } from "../core/errors.ts";
import { noteWork } from "../core/work.ts";
import type { CellDeps, Deps, Query } from "../deps.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Permission } from "../partners/permissions.ts";
import { type Credentials, callerOf, type KeyLocation, keyHeadersOf } from "./authenticate.ts";
import { checkReadable, limitBody, readJson } from "./body.ts";
import type { AppEnv } from "./context.ts";
import { EarlyAnswer } from "./early-answer.ts";
import type { ApiGeneration } from "./generation.ts";
import { type FieldTree, fieldsOf, refuseMisspelt } from "./misspelt.ts";
import { describeIssue } from "./validation-message.ts";
import { type WireNames, withWireFields } from "./wire-fields.ts";

type FailureKind = OperationError["kind"];

/** What an agent, or the person who supervises it, can know about a call in advance. */
export interface Effect {
  readonly readOnly: boolean;
  /** Whether it replaces existing data. */
  readonly destructive: boolean;
  /** Whether repeating the same call has no further effect. */
  readonly idempotent: boolean;
  /** Whether it calls the processor or the bank. */
  readonly openWorld: boolean;
}

/** The effect of a read-only operation. */
export const READ_ONLY: Effect = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * The single definition of an operation. Its route, its MCP tool, its entry in the API description, and the tests that
 * keep these three consistent are derived from it.
 */
interface Definition<Input extends z.ZodType, Output extends z.ZodObject, Row> {
  /** The path's last segment, and the operation's name everywhere. */
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** All that a reader without other documentation needs to use it well; Markdown. */
  readonly description: string;
  readonly permission: Permission;
  readonly key: KeyLocation;
  readonly effect: Effect;
  readonly input: Input;
  /** The wire names of fields that the domain names otherwise; see wire-fields.ts. */
  readonly wireNames?: WireNames;
  /** Whether it takes no input, so that the body may be missing. */
  readonly bodyless?: boolean;
  /** The answer without `success`. */
  readonly output: Output;
  /** How it can fail, in addition to {@link COMMON_FAILURES}. */
  readonly fails: readonly FailureKind[];
  /** A request without the API key, and its response. On a fresh local stack, example creations work unchanged. */
  readonly example: { readonly request: z.input<Input>; readonly response: z.output<Output> };
  /** A query of the directory that needs no caller. It is sent in one batch with the key's, and its rows go to `run`. */
  readonly alongside?: (directory: Deps["directory"], input: z.output<Input>) => Query<Row>;
  /**
   * The environments that a request concerns. An agent that was given one alone is refused the others before anything is
   * done. Where only the answer of an operation that reads shows it, the agent is refused the answer.
   */
  readonly environmentsOf:
    | ((input: z.output<Input>, caller: Caller, found: readonly Row[]) => readonly Environment[])
    | { readonly answer: (output: z.input<Output>) => Environment };
  /** Executes the request. Throws ServiceFailure, which the generation maps to its own code and message. */
  readonly run: (deps: CellDeps, caller: Caller, input: z.output<Input>, found: readonly Row[]) => Promise<z.input<Output>>;
}

export interface Operation {
  readonly name: string;
  readonly generation: ApiGeneration;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly permission: Permission;
  readonly key: KeyLocation;
  readonly effect: Effect;
  readonly input: z.ZodType;
  readonly bodyless: boolean;
  readonly output: z.ZodObject;
  readonly failures: readonly FailureKind[];
  readonly example: { readonly request: unknown; readonly response: object };
  readonly routes: Hono<AppEnv>;
  /**
   * Executes a request from HTTP or MCP. `body` is the unvalidated JSON body.
   * @throws ServiceFailure, which failures.ts maps to the generation's code and message.
   */
  readonly invoke: (deps: Deps, credentials: Credentials, body: unknown) => Promise<{ success: true } & Record<string, unknown>>;
}

/** Failures that every operation can return. */
const COMMON_FAILURES: readonly FailureKind[] = ["invalid_input", "key_invalid", "permission_missing", "internal"];

/**
 * Builds an operation with its route. It checks key, permission and shape, in this order, before `run` (interface G.6). An
 * operation that only reads may begin before, for the caller whose key it was; its answer is given if it still is.
 */
export function defineOperation<Input extends z.ZodType, Output extends z.ZodObject, Row = never>(
  generation: ApiGeneration,
  definition: Definition<Input, Output, Row>,
): Operation {
  const { run, alongside, environmentsOf, fails, bodyless = false, wireNames = {}, ...described } = definition;
  const { key, permission, input, effect } = described;
  const path = `${generation.prefix}${definition.name}`;
  let known: FieldTree | undefined;
  const fields = () => (known ??= fieldsOf(input));
  const invoke: Operation["invoke"] = async (deps, credentials, body) => {
    checkReadable(body);
    const checked = input.safeParse(body);
    const perform = (request: z.output<Input>, caller: Caller, found: readonly Row[]) =>
      withWireFields(wireNames, () => run(deps.inCell(caller.cell), caller, request, found));
    const early = new EarlyAnswer<z.input<Output>>();
    const meanwhile = !checked.success
      ? undefined
      : {
          query: alongside?.(deps.directory, checked.data) ?? null,
          begin(remembered: Caller) {
            if (effect.readOnly && alongside === undefined && remembered.permissions.has(permission))
              early.begin(remembered, perform(checked.data, remembered, []));
          },
        };
    const kind = effect.readOnly ? "read" : "creation";
    noteWork({ operation: definition.name });
    const { caller, found } = await callerOf(deps, { location: key, permission, kind }, credentials, body, meanwhile);
    // A wrong key is said before a wrong field, and a misspelt field before one that is then missing.
    refuseMisspelt(fields(), body, generation.otherKeys);
    if (!checked.success) rejectShape(checked.error, body);
    const given = credentials.by === "grant" ? credentials.grantee.environments : environments;
    if (typeof environmentsOf === "function") requireEnvironments(given, environmentsOf(checked.data, caller, found));
    const answer = await (early.of(caller) ?? perform(checked.data, caller, found));
    if (typeof environmentsOf !== "function") requireEnvironments(given, [environmentsOf.answer(answer)]);
    return { success: true, ...answer };
  };
  const routes = new Hono<AppEnv>().post(path, limitBody, async (context) => {
    const body = await readJson(context.req, { orNone: bodyless });
    return context.json(await invoke(context.get("deps"), keyHeadersOf(context.req), body));
  });
  const failures = [...COMMON_FAILURES, ...(key === "header_or_body" ? [] : (["key_missing"] as const)), ...fails];
  return { ...described, generation, path, bodyless, failures, routes, invoke };
}

/** @throws ServiceFailure `environment_missing` for the first that was not given. */
function requireEnvironments(given: readonly Environment[], wanted: readonly Environment[]): void {
  const environment = wanted.find((one) => !given.includes(one));
  if (environment !== undefined) throw new ServiceFailure({ kind: "environment_missing", environment });
}

/**
 * Validates input against a schema. Unknown fields are ignored (interface G.7).
 * @throws ServiceFailure `invalid_input`, naming the first invalid field.
 */
export function parseInput<Shape extends z.ZodType>(shape: Shape, sent: unknown): z.output<Shape> {
  const checked = shape.safeParse(sent);
  if (!checked.success) rejectShape(checked.error);
  return checked.data;
}

type PathOrQuery = "param" | "query";
type Checked = (...given: Parameters<Hook<z.output<z.ZodObject>, AppEnv, string, PathOrQuery, object, z.ZodObject>>) => void;

/** {@link parseInput} of a request's path or query, as middleware. `keep` gets what was checked. @throws ServiceFailure `invalid_input`. */
export function checkShape(of: PathOrQuery, input: z.ZodObject, keep: (context: Context<AppEnv>, checked: object) => void) {
  const decide: Checked = (checked, context) => {
    if (!checked.success) rejectShape(checked.error);
    keep(context, checked.data);
  };
  return zValidator<z.ZodObject, PathOrQuery, AppEnv, string, Checked>(of, input, decide);
}

function rejectShape({ issues }: z.core.$ZodError, sent?: unknown): never {
  throw new ServiceFailure(faultOf(issues[0], sent));
}

/** Converts a validation issue of what was sent into `invalid_input`, with the field's path as sent. */
export function faultOf(issue: z.core.$ZodIssue | undefined, sent?: unknown): Extract<OperationError, { kind: "invalid_input" }> {
  const field = (issue?.path ?? []).reduce<string>(
    (path, part) => (typeof part === "number" ? `${path}[${part}]` : path === "" ? String(part) : `${path}.${String(part)}`),
    "",
  );
  const message = issue === undefined ? "the body is not of the documented shape" : describeIssue(issue, sent);
  return { kind: "invalid_input", ...(field === "" ? { message } : { message: `${field}: ${message}`, field }) };
}
