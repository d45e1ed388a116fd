import { Hono } from "hono";
import type * as z from "zod";
import { type Environment, environments } from "../core/environment.ts";
import { type OperationError, rejectInput, ServiceFailure } from "../core/errors.ts";
import { lazy } from "../core/lazy.ts";
import { NotStarted, type StartRule, withWarning } from "../core/preview.ts";
import { annotateTrace } from "../core/trace.ts";
import type { Deps, PartnerDeps, Prepared } from "../deps.ts";
import type { Caller } from "../partners/authenticate.ts";
import type { Permission } from "../partners/permissions.ts";
import { admitRequest } from "../rate-limits/admission.ts";
import { budgetOf, type Credentials, callerOf, type KeyLocation, keyHeadersOf } from "./authenticate.ts";
import { checkReadable, limitBody, readJson } from "./body.ts";
import type { AppEnv } from "./context.ts";
import {
  asksForDryRun,
  BY_HEADER,
  DRY_RUN_ARGUMENT,
  DRY_RUN_HEADER,
  DRY_RUN_TYPE,
  type DryRunAnswer,
  isDryRunAnswer,
  readDryRun,
  refuseDryRunField,
  viewPreview,
} from "./dry-run.ts";
import { logUnexpected } from "./error-response.ts";
import { type FieldRules, fieldsOf, refuseUnknown, withKeyOfHeader, withoutNulls } from "./fields.ts";
import type { ApiGeneration } from "./generation.ts";
import { streamList } from "./list-stream.ts";
import { rejectShape } from "./shape.ts";
import { SpeculativeRead } from "./speculative-read.ts";
import { type WireNames, withWireFields } from "./wire-fields.ts";

type OperationFailureKind = OperationError["kind"];

/** What an agent, or its supervisor, can know about a call in advance. */
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
interface OperationDefinition<Input extends z.ZodObject, Output extends z.ZodObject, Row> {
  /** The path's last segment, and the operation's name everywhere. */
  readonly name: string;
  /** Its short name in menus. */
  readonly title: string;
  /** Its name in the clients that partners install: noun and verb. */
  readonly method: `${string}.${string}`;
  /** One line. */
  readonly summary: string;
  /** Everything that a reader without other documentation needs; Markdown. */
  readonly description: string;
  /** For agents, besides the description: when to use it, its cost, and the source of its arguments. Null: agents do not get it. */
  readonly hint: string | null;
  readonly permission: Permission;
  readonly key: KeyLocation;
  readonly effect: Effect;
  readonly input: Input;
  /** Wire names of fields with other names in the domain; see wire-fields.ts. */
  readonly wireNames?: WireNames;
  /** Whether it takes no input, so that the body may be missing. */
  readonly bodyless?: boolean;
  /** What to send instead of a field that does not exist, by field name. */
  readonly insteadOf?: Readonly<Record<string, string>>;
  /** The answer without `success`. */
  readonly output: Output;
  /** Its failures, in addition to {@link COMMON_FAILURES}. */
  readonly fails: readonly OperationFailureKind[];
  /** A request without the API key, and its response. On a fresh local stack, example creations work unchanged. */
  readonly example: { readonly request: z.input<Input>; readonly response: z.output<Output> };
  /**
   * A statement for the directory that needs no caller. It is sent in one batch with the key's statement, and `run`
   * gets its rows.
   */
  readonly prefetch?: (directory: Deps["directory"], input: z.output<Input>) => Prepared<Row>;
  /**
   * The environments of a request. An agent whose grant lacks one of them is refused before any side effect. Required
   * for an operation that changes something.
   */
  readonly environmentsOf?: (input: z.output<Input>, caller: Pick<Caller, "partnerId">, found: readonly Row[]) => readonly Environment[];
  /** The environment of an answer that may differ from the request's. An agent without it is refused the answer. */
  readonly environmentOfAnswer?: (answer: z.input<Output>) => Environment;
  /** Whether a dry run says what a request would make: its workflow has a preview. */
  readonly hasDryRun?: boolean;
  /** As how many queries it counts: what reads many rows counts as several. Left out: one. */
  readonly weight?: number;
  /** Executes the request. Throws ServiceFailure, which the generation maps to its own code and message. */
  readonly run: (deps: PartnerDeps, caller: Caller, input: z.output<Input>, found: readonly Row[]) => Promise<z.input<Output>>;
}

type Said = "name" | "title" | "method" | "summary" | "description" | "hint" | "permission" | "key" | "effect";

export interface Operation extends Pick<OperationDefinition<z.ZodObject, z.ZodObject, unknown>, Said> {
  readonly generation: ApiGeneration;
  readonly path: string;
  readonly input: z.ZodType;
  readonly bodyless: boolean;
  readonly hasDryRun: boolean;
  readonly output: z.ZodObject;
  readonly failures: readonly OperationFailureKind[];
  readonly example: { readonly request: unknown; readonly response: object };
  readonly routes: Hono<AppEnv>;
  /** The field with the idempotency key; null if there is none. */
  readonly keyField: string | null;
  /**
   * Executes a request from HTTP or MCP. `body` is the unvalidated JSON body.
   * @throws ServiceFailure, which failures.ts maps to the generation's code and message; NotStarted if the caller's rule holds it.
   */
  readonly invoke: (
    deps: Deps,
    credentials: Credentials,
    body: unknown,
    sent?: SentBeside,
  ) => Promise<{ success: true } & Record<string, unknown>>;
}

/** What a request has besides its body. */
interface SentBeside {
  /** Over HTTP: the key may be in the header `Idempotency-Key`, and a dry run is asked for by {@link DRY_RUN_HEADER}. */
  readonly headers?: Headers;
  /** Over HTTP: the names in the query, which has no meaning. */
  readonly query?: readonly string[];
  /** From an agent: the argument that asks for a dry run, as sent. */
  readonly dryRun?: unknown;
  /** What the caller may start; absent: everything. */
  readonly starts?: StartRule;
}

/** For an operation whose request names its environment, which is known before the caller. */
const NO_PARTNER = { partnerId: "" };

/** Failures that every operation can return. */
const COMMON_FAILURES: readonly OperationFailureKind[] = ["invalid_input", "key_invalid", "permission_missing", "internal"];

/**
 * Builds an operation with its route. It checks key, permission and shape, in this order, before `run` (interface G.6).
 * A read without its own statement starts during the key check ({@link SpeculativeRead}).
 */
export function defineOperation<Input extends z.ZodObject, Output extends z.ZodObject, Row = never>(
  generation: ApiGeneration,
  definition: OperationDefinition<Input, Output, Row>,
): Operation {
  const {
    run,
    prefetch,
    environmentsOf,
    environmentOfAnswer,
    fails,
    bodyless = false,
    hasDryRun = false,
    weight = 1,
    wireNames = {},
    insteadOf = {},
    ...described
  } = definition;
  const { key, permission, input, effect } = described;
  const path = `${generation.prefix}${definition.name}`;
  const fields = lazy(() => fieldsOf(input));
  const kind = effect.readOnly ? "read" : "creation";
  const mayStartEarly = effect.readOnly && prefetch === undefined;
  const keyField = !effect.readOnly && generation.keyField in input.shape ? generation.keyField : null;
  const rules: FieldRules = { ...generation, insteadOf, ignored: new Set(effect.readOnly ? ["api_key", "idempotency_key"] : ["api_key"]) };

  const invoke: Operation["invoke"] = async (deps, credentials, sent, beside = {}) => {
    annotateTrace({ operation: definition.name });
    checkReadable(sent);
    const { body, isDryRun, conflict } = readRequest(sent, beside);
    const shape = input.safeParse(body);
    // A statement of the operation determines the environment. A request with an invalid shape has none.
    const environment = !shape.success || prefetch === undefined ? environmentAmong(shape.data, NO_PARTNER, []) : null;
    const needed = { location: key, permission, kind, environment } as const;
    const perform = (request: z.output<Input>, caller: Caller, rows: readonly Row[]) =>
      withWireFields(wireNames, () => run(deps.ofPartner(caller), caller, request, rows));
    const early = new SpeculativeRead((remembered) =>
      mayStartEarly && shape.success && remembered.permissions.has(permission) ? perform(shape.data, remembered, []) : null,
    );

    const { caller, found } = await callerOf(deps, needed, credentials, body, {
      onRememberedCaller: (remembered) => early.start(remembered),
      extraStatement: shape.success && prefetch !== undefined ? prefetch(deps.directory, shape.data) : null,
    });

    // A wrong key is reported before a wrong field, and a misspelt field before the missing field that it was meant to
    // be.
    if (conflict !== null) throw conflict;
    if (!effect.readOnly)
      refuseDryRunField([...Object.keys(body), ...(beside.query ?? [])], beside.headers === undefined ? BY_ARGUMENT : BY_HEADER);
    refuseUnknown(fields(), body, rules);
    if (!shape.success) rejectShape(shape.error, body);

    if (environment === null) {
      await admitRequest(deps.rateLimits, budgetOf(caller, needed, environmentAmong(shape.data, caller, found)));
    }

    // One query is counted already.
    if (weight > 1) await admitRequest(deps.rateLimits, budgetOf(caller, needed, "any"), weight - 1);

    const given = credentials.by === "grant" ? credentials.grantee.environments : environments;
    requireEnvironments(given, environmentsOf?.(shape.data, caller, found) ?? []);

    const start = async (starts?: StartRule) => {
      const acting = { ...caller, environments: given, ...(starts && { starts }) };
      const answer = await (early.answerFor(caller) ?? perform(shape.data, acting, found));
      requireEnvironments(given, environmentOfAnswer === undefined ? [] : [environmentOfAnswer(answer)]);
      return answer;
    };
    return isDryRun ? answerDryRun(() => start(HOLDS_ALL), beside.starts) : { success: true, ...(await start(beside.starts)) };
  };

  /** The only environment of a request. */
  function environmentAmong(
    asked: z.output<Input> | undefined,
    caller: Pick<Caller, "partnerId">,
    rows: readonly Row[],
  ): Environment | "any" {
    const [one, another] = asked === undefined ? [] : (environmentsOf?.(asked, caller, rows) ?? []);
    return one === undefined || another !== undefined ? "any" : one;
  }

  /** The body without nulls, with the header's key. `conflict`: why the headers are refused. */
  function readRequest(sent: Record<string, unknown>, { headers, dryRun }: SentBeside) {
    const body = withoutNulls(fields(), sent);
    try {
      const isDryRun = !effect.readOnly && (headers === undefined ? readDryRun(dryRun, DRY_RUN_ARGUMENT) : asksForDryRun(headers));
      if (isDryRun && !hasDryRun) rejectInput("this operation has no dry run. Nothing was done", DRY_RUN_HEADER);
      const keyed = keyField === null || headers === undefined ? body : withKeyOfHeader(body, headers, keyField);
      return { body: keyed, isDryRun, conflict: null };
    } catch (thrown) {
      if (!(thrown instanceof ServiceFailure)) throw thrown;
      return { body, isDryRun: false, conflict: thrown };
    }
  }

  const routes = new Hono<AppEnv>().post(path, limitBody, async (context) => {
    const body = await readJson(context.req, { orNone: bodyless });
    const answer = await invoke(context.get("deps"), keyHeadersOf(context.req.raw), body, {
      headers: context.req.raw.headers,
      query: [...new URL(context.req.url).searchParams.keys()],
    });
    if (isDryRunAnswer(answer)) return context.body(JSON.stringify(answer), 200, { "Content-Type": DRY_RUN_TYPE });
    const stream = streamList(answer, (thrown) => logUnexpected(thrown, context));
    return stream === null ? context.json(answer) : context.body(stream, 200, { "Content-Type": "application/json" });
  });
  const failures = [...COMMON_FAILURES, ...(key === "header_or_body" ? [] : (["key_missing"] as const)), ...fails];
  return { ...described, generation, path, bodyless, hasDryRun, failures, keyField, routes, invoke };
}

const BY_ARGUMENT = `send the argument ${DRY_RUN_ARGUMENT}: true`;

/** The rule of a dry run: nothing starts. */
const HOLDS_ALL: StartRule = { holds: () => true, isDryRun: true };

/** What a request would do. Its answer is that of an earlier request, because no new run starts. `rule`: what the caller may start. */
async function answerDryRun(start: () => Promise<object>, rule: StartRule | undefined): Promise<DryRunAnswer> {
  try {
    return { success: true, dry_run: true, outcome: "repeat", would_make: null, answer: { ...(await start()) } };
  } catch (thrown) {
    if (!(thrown instanceof NotStarted)) throw thrown;
    const outcome = thrown.isBegun ? "complete" : "create";
    const isHeld = !thrown.isBegun && (rule?.holds(thrown.preview) ?? false);
    const preview = isHeld ? withWarning(thrown.preview, "needs_confirmation") : thrown.preview;
    return { success: true, dry_run: true, outcome, would_make: viewPreview(preview), answer: null };
  }
}

/** @throws ServiceFailure `environment_missing` for the first environment that was not granted. */
function requireEnvironments(given: readonly Environment[], wanted: readonly Environment[]): void {
  const environment = wanted.find((one) => !given.includes(one));
  if (environment !== undefined) throw new ServiceFailure({ kind: "environment_missing", environment });
}
