import { Hono } from "hono";
import type { z } from "zod";
import { type Environment, environments } from "../core/environment.ts";
import { type OperationError, ServiceFailure } from "../core/errors.ts";
import { noteWork } from "../core/work.ts";
import type { CellDeps, Deps, Prepared } from "../deps.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Permission } from "../partners/permissions.ts";
import { type Credentials, callerOf, type KeyLocation, keyHeadersOf } from "./authenticate.ts";
import { bytesOf, checkReadable, limitBody, readJson } from "./body.ts";
import type { AppEnv } from "./context.ts";
import { EarlyAnswer } from "./early-answer.ts";
import { logUnexpected } from "./error-response.ts";
import type { ApiGeneration } from "./generation.ts";
import { type FieldTree, fieldsOf, refuseMisspelt } from "./misspelt.ts";
import { RepeatOf } from "./repeat.ts";
import { streamRest } from "./rest.ts";
import { rejectShape } from "./shape.ts";
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
  /** A statement for the directory that needs no caller. It is sent in one batch with the key's, and its rows go to `run`. */
  readonly alongside?: (directory: Deps["directory"], input: z.output<Input>) => Prepared<Row>;
  /**
   * The environments that a request concerns. An agent that was given one alone is refused the others before anything is
   * done. Where only the answer of an operation that reads shows it, the agent is refused the answer.
   */
  readonly environmentsOf:
    | ((input: z.output<Input>, caller: Caller, found: readonly Row[]) => readonly Environment[])
    | { readonly answer: (output: z.input<Output>) => Environment };
  /**
   * What a repeat of a request gets while no product changes; null where the same request again is another one. Without it, a
   * repeat is checked as the first request was.
   */
  readonly repeated?: (answer: z.input<Output>, input: z.output<Input>) => z.input<Output> | null;
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
   * Executes a request from HTTP or MCP. `body` is the unvalidated JSON body, and `bytes` what it was read from, if it was.
   * @throws ServiceFailure, which failures.ts maps to the generation's code and message.
   */
  readonly invoke: (
    deps: Deps,
    credentials: Credentials,
    body: unknown,
    bytes?: ArrayBuffer,
  ) => Promise<{ success: true } & Record<string, unknown>>;
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
  const { run, alongside, environmentsOf, repeated, fails, bodyless = false, wireNames = {}, ...described } = definition;
  const { key, permission, input, effect } = described;
  const path = `${generation.prefix}${definition.name}`;
  let known: FieldTree | undefined;
  const fields = () => (known ??= fieldsOf(input));
  const invoke: Operation["invoke"] = async (deps, credentials, body, bytes) => {
    checkReadable(body);
    let parsed: z.ZodSafeParseResult<z.output<Input>> | undefined;
    const check = () => (parsed ??= input.safeParse(body));
    const rowsAlongside = () => {
      const checked = alongside === undefined ? null : check();
      return checked?.success ? (alongside?.(deps.directory, checked.data) ?? null) : null;
    };
    const repeat = repeated === undefined ? null : await RepeatOf.of(deps, definition.name, credentials, bytes);
    const perform = (request: z.output<Input>, caller: Caller, rows: readonly Row[]) => {
      const own = deps.inCell(caller.cell);
      return withWireFields(wireNames, () => run(repeat === null ? own : repeat.watch(own), caller, request, rows));
    };
    const early = new EarlyAnswer<z.input<Output>>();
    const meanwhile = {
      begin(remembered: Caller) {
        repeat?.begin(remembered);
        if (!effect.readOnly || alongside !== undefined) return;
        const checked = check();
        if (checked.success && remembered.permissions.has(permission)) early.begin(remembered, perform(checked.data, remembered, []));
      },
      other: () => (repeat?.isKnown === true ? null : rowsAlongside()),
    };
    const kind = effect.readOnly ? "read" : "creation";
    noteWork({ operation: definition.name });
    const { caller, found, catalogue } = await callerOf(deps, { location: key, permission, kind }, credentials, body, meanwhile);
    const again = await repeat?.answerFor(caller, catalogue);
    if (again !== undefined) return { success: true, ...again };
    // A wrong key is said before a wrong field, and a misspelt field before one that is then missing.
    refuseMisspelt(fields(), body, generation.otherKeys);
    const checked = check();
    if (!checked.success) rejectShape(checked.error, body);
    // They were left out if the answer seemed to be known.
    const rows = repeat?.isKnown === true ? ((await rowsAlongside()?.all()) ?? []) : found;
    const given = credentials.by === "grant" ? credentials.grantee.environments : environments;
    if (typeof environmentsOf === "function") requireEnvironments(given, environmentsOf(checked.data, caller, rows));
    const answer = await (early.of(caller) ?? perform(checked.data, caller, rows));
    if (typeof environmentsOf !== "function") requireEnvironments(given, [environmentsOf.answer(answer)]);
    repeat?.remember(caller, repeated?.(answer, checked.data) ?? null, catalogue);
    return { success: true, ...answer };
  };
  const routes = new Hono<AppEnv>().post(path, limitBody, async (context) => {
    const body = await readJson(context.req, { orNone: bodyless });
    const answer = await invoke(context.get("deps"), keyHeadersOf(context.req), body, await bytesOf(context.req));
    const stream = streamRest(answer, (thrown) => logUnexpected(thrown, context));
    return stream === null ? context.json(answer) : context.body(stream, 200, { "Content-Type": "application/json" });
  });
  const failures = [...COMMON_FAILURES, ...(key === "header_or_body" ? [] : (["key_missing"] as const)), ...fails];
  return { ...described, generation, path, bodyless, failures, routes, invoke };
}

/** @throws ServiceFailure `environment_missing` for the first that was not given. */
function requireEnvironments(given: readonly Environment[], wanted: readonly Environment[]): void {
  const environment = wanted.find((one) => !given.includes(one));
  if (environment !== undefined) throw new ServiceFailure({ kind: "environment_missing", environment });
}
