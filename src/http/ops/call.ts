import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import type { Actor } from "../../core/actor.ts";
import type { CellCode } from "../../core/cell-code.ts";
import { isoTime } from "../../core/clock.ts";
import { annotateTrace } from "../../core/trace.ts";
import type { Deps } from "../../deps.ts";
import { lastReached } from "../../health/heartbeats.ts";
import type { NeededRole } from "../../operators/roles.ts";
import { bytesOf, limitBody, limitBodyTo, readJson, rejectSizeOver } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed } from "../error-response.ts";
import { checkShape, parseInput } from "../shape.ts";
import { decodeFile } from "./decode-file.ts";
import { OpsRefusal } from "./refusal.ts";

type Shape = z.ZodObject;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The context of a call besides its input. */
interface CallContext {
  readonly deps: Deps;
  readonly actor: Actor;
}

/** The names of the parameters in a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type TextParams<Path extends string> = z.ZodObject<Record<NamesIn<Path>, z.ZodString>>;

interface Input<Params extends Shape, Query extends Shape, Body extends z.ZodType> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

/**
 * The single definition of an operators' call. Its route, its entry in /ops/openapi.json and its command follow from it.
 */
interface CallDefinition<
  Path extends string,
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Answer extends z.ZodType<object>,
> {
  /** The words of its command, noun first: `partners create`. */
  readonly command: string;
  readonly method: Method;
  /** Its parameters stand in braces: `/ops/partners/{id}`. */
  readonly path: Path;
  readonly role: NeededRole;
  /** One line. */
  readonly summary: string;
  /** What cannot be undone. The command asks for confirmation first. */
  readonly irreversible?: string;
  /**
   * Whether the call answers from the reachable databases and lists the unreachable cells. Default: true for a reading
   * call.
   */
  readonly isPartial?: boolean;
  /** Without a schema, each path parameter is a text. */
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** The described body, if its real check depends on stored data. */
  readonly describedBody?: z.ZodType;
  /** Body fields that the command takes without names, in this order, after the path parameters. */
  readonly positional?: readonly string[];
  /** A body that is a file: `run` gets its text as `file`. */
  readonly file?: { readonly types: readonly string[]; readonly maxBytes: number };
  readonly status?: 200 | 201;
  /** The status of an answer that reports that nothing was done. */
  readonly statusOf?: (answer: z.output<Answer>) => 200 | 422;
  readonly answer: Answer;
  /** The arguments of the command in an example. */
  readonly example: string;
  readonly run: (context: CallContext, input: Input<Params, Query, Body>, file: string) => Promise<z.input<Answer>>;
}

/** The input before validation. */
interface SentInput {
  readonly params: object;
  readonly query: object;
  readonly body: object;
  readonly file: string;
}

/** An operators' call, with any input. */
export interface OpsCall {
  readonly command: string;
  readonly method: Method;
  readonly path: string;
  readonly role: NeededRole;
  readonly summary: string;
  readonly irreversible: string | null;
  readonly isPartial: boolean;
  readonly params: Shape;
  readonly query: Shape;
  /** The described body; null if there is none. */
  readonly body: z.ZodType | null;
  readonly positional: readonly string[];
  readonly file: { readonly types: readonly string[]; readonly maxBytes: number } | null;
  readonly status: 200 | 201;
  readonly answer: z.ZodType;
  readonly example: string;
  /** Runs the call for a JSON request, after its path and query were validated. */
  readonly handle: (context: Context<AppEnv>) => Promise<Response>;
  /**
   * Validates the input and runs the call. @throws ServiceFailure `invalid_input`; {@link OpsRefusal}; the module's
   * errors.
   */
  readonly perform: (context: CallContext, sent: SentInput) => Promise<object>;
}

const NOTHING = z.object({});

/** A boolean query field; default false. */
export const flagField = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true");

/** The reason for a change that does not explain itself. */
export const reasonField = z.string().trim().min(1, "must not be empty").max(500).describe("Why, for the audit log");

/** Builds a call. Path, query and body are validated in this order; the call runs only if all are valid. */
export function defineCall<
  Path extends string,
  Answer extends z.ZodType<object>,
  Params extends Shape = TextParams<Path>,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
>(definition: CallDefinition<Path, Params, Query, Body, Answer>): OpsCall {
  const { run, statusOf, file = null, status = 200, positional = [], irreversible = null, body = null, ...rest } = definition;
  const params: Shape = definition.params ?? paramsOf(definition.path);
  const query: Shape = definition.query ?? NOTHING;
  return {
    ...rest,
    params,
    query,
    body: definition.describedBody ?? body,
    file,
    status,
    positional,
    irreversible,
    isPartial: definition.isPartial ?? definition.method === "GET",
    async handle(context) {
      const checked = {
        params: context.get("checkedParams"),
        query: context.get("checkedQuery"),
        body: body === null ? {} : parseInput(body, await readJson(context.req, { orNone: true })),
      };
      const text = file === null ? "" : decodeFile(await bytesOf(context.req));
      const answer = await carryOut({ deps: context.get("deps"), actor: context.get("actor") }, checked, text);
      return context.json(answer, statusOf?.(definition.answer.parse(answer)) ?? status);
    },
    perform(context, sent) {
      const checked = {
        params: parseInput(params, sent.params),
        query: parseInput(query, sent.query),
        body: body === null ? {} : parseInput(body, sent.body),
      };
      return carryOut(context, checked, sent.file);
    },
  };

  async function carryOut(context: CallContext, checked: object, text: string): Promise<object> {
    // The schemas, including those of the middleware, come from the definition, so their outputs are its input.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const input = checked as Input<Params, Query, Body>;
    if (!(definition.isPartial ?? definition.method === "GET")) return definition.answer.parse(await run(context, input, text));
    const deps = context.deps.answeringPartly();
    const { reach } = deps;
    try {
      const answer = definition.answer.parse(await run({ ...context, deps }, input, text));
      return reach.lost.size === 0 ? answer : { ...answer, out_of_reach: await viewLost(deps, reach.lost) };
    } catch (thrown) {
      if (!(thrown instanceof OpsRefusal) || thrown.status !== 404 || reach.lost.size === 0) throw thrown;
      const cells = [...reach.lost].join(", ");
      throw new OpsRefusal(502, `${thrown.message} It may be in an unreachable cell: ${cells}. Try again.`);
    }
  }
}

/** An unreachable cell. */
export const lostCell = z.object({
  cell: z.string(),
  since: z.string().nullable().describe("When the cron last reached it; null for never"),
  says: z.string(),
});

async function viewLost({ directory }: Deps, lost: ReadonlySet<CellCode>): Promise<z.input<typeof lostCell>[]> {
  const reached = await lastReached(directory, [...lost]);
  return [...reached].map(([cell, at]) => ({
    cell,
    since: at === null ? null : isoTime(at),
    says: `Cell ${cell} is unreachable: its data is missing here.`,
  }));
}

function paramsOf(path: string): Shape {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
}

/** Mounts calls. `guard` runs before their input is read. An unsupported method is refused with the supported ones. */
export function mountCalls(calls: readonly OpsCall[], guard: (call: OpsCall, context: Context<AppEnv>) => void): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const call of calls) {
    const path = call.path.replaceAll(/\{(\w+)\}/g, ":$1");
    const most = call.file === null ? limitBody : limitBodyTo(call.file.maxBytes, rejectSizeOver(call.file.maxBytes));
    const permitted = createMiddleware<AppEnv>((context, next) => {
      annotateTrace({ operation: call.command });
      guard(call, context);
      return next();
    });
    const checkParams = checkShape("param", call.params, (context, checked) => context.set("checkedParams", checked));
    const checkQuery = checkShape("query", call.query, (context, checked) => context.set("checkedQuery", checked));
    app.on(call.method, [path], permitted, most, checkParams, checkQuery, (context: Context<AppEnv>) => call.handle(context));
  }
  for (const path of new Set(calls.map((call) => call.path))) {
    const methods = calls.filter((call) => call.path === path).map((call) => (call.method === "GET" ? "GET, HEAD" : call.method));
    app.all(path.replaceAll(/\{(\w+)\}/g, ":$1"), methodNotAllowed([...new Set(methods)].join(", ")));
  }
  return app;
}
