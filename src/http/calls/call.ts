import type { Context } from "hono";
import * as z from "zod";
import type { Continues } from "../../core/continues.ts";
import { rejectInput } from "../../core/errors.ts";
import { bytesOf, readJson, refuseEncoded } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { parseInput } from "../shape.ts";
import { decodeFile } from "./decode-file.ts";
import { type Download, sendFile } from "./download.ts";

export type Shape = z.ZodObject;
type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The names of the parameters in a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
export type TextParams<Path extends string> = z.ZodObject<Record<NamesIn<Path>, z.ZodString>>;

interface Input<Params extends Shape, Query extends Shape, Body extends z.ZodType> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: z.output<Body>;
}

/**
 * The single definition of a call that is not an operation of the interface: an operators' call, or a partner's own.
 * Its route, its entry in an OpenAPI description, its command and its page follow from it. `CallContext` is what the
 * call gets besides its input; it depends on the audience.
 */
export interface CallDefinition<
  CallContext,
  Path extends string,
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Answer extends z.ZodType<object>,
> {
  /** The words of its command, noun first: `partners create`. */
  readonly command: string;
  /** Left out: GET. */
  readonly method?: Method;
  /** Its parameters stand in braces: `/ops/partners/{id}`. */
  readonly path: Path;
  /** One line. */
  readonly summary: string;
  /** What cannot be undone. The command asks for confirmation first. */
  readonly irreversible?: string;
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
  /** For a call that does a part of the work: console and command repeat it until nothing is left. */
  readonly continues?: Continues;
  /** The status of an answer that reports that nothing was done. */
  readonly statusOf?: (answer: z.output<Answer>) => 200 | 422;
  readonly answer: Answer;
  /** The arguments of the command in an example; left out: none. */
  readonly example?: string;
  readonly run: (context: CallContext, input: Input<Params, Query, Body>, file: string) => Promise<z.input<Answer>>;
  /** Whether every answer is a file: then `run` is never called. */
  readonly isFile?: boolean;
  /** The answer as a file, where the caller wants one: `accept` is what the request accepts. Null: `run` answers. */
  readonly download?: (context: CallContext, input: Input<Params, Query, Body>, accept: string) => Promise<Download | null>;
}

/** The input before validation. */
interface SentInput {
  readonly params: object;
  readonly query: object;
  readonly body: object;
  readonly file: string;
}

/** A call, with any input. */
export interface Call<CallContext = never> {
  readonly command: string;
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly irreversible: string | null;
  readonly continues: Continues | null;
  readonly params: Shape;
  readonly query: Shape;
  /** The described body; null if there is none. */
  readonly body: z.ZodType | null;
  readonly positional: readonly string[];
  readonly file: { readonly types: readonly string[]; readonly maxBytes: number } | null;
  readonly status: 200 | 201;
  readonly answer: z.ZodType;
  /** Whether it answers with a file: always, or where the request accepts one. Null: never. */
  readonly download: "always" | "if_accepted" | null;
  readonly example: string;
  /** Runs the call for a JSON request, after its path and query were validated. */
  readonly handle: (context: Context<AppEnv>, own: CallContext) => Promise<Response>;
  /**
   * Validates the input and runs the call. @throws ServiceFailure `invalid_input`; `CallRefusal`; the module's errors.
   */
  readonly perform: (own: CallContext, sent: SentInput) => Promise<object>;
}

/** The method of a call that names none: it only reads. */
export const READ = "GET";

const NOTHING = z.object({});

/** A boolean query field; default false. */
export const flagField = z
  .enum(["true", "false"])
  .default("false")
  .transform((text) => text === "true");

/** The reason for a change that does not explain itself. */
export const reasonField = z.string().trim().min(1, "must not be empty").max(500).describe("Why, for the audit log");

/** The reason for a change of a partner's own object, which the partner reads. */
export const toldReason = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(500)
  // It is kept for good, and no erasure looks for a person there.
  .refine((text) => !text.includes("@"), "must hold no e-mail address")
  .describe("Why, in words that its partner reads");

/** Runs a call in a context, and may change the context or the answer. */
export type RunAround<CallContext> = (own: CallContext, answer: (own: CallContext) => Promise<object>) => Promise<object>;

/**
 * Builds a call. Path, query and body are validated in this order; the call runs only if all are valid. `around` runs
 * it.
 */
export function buildCall<
  CallContext,
  Path extends string,
  Params extends Shape,
  Query extends Shape,
  Body extends z.ZodType,
  Answer extends z.ZodType<object>,
>(
  definition: CallDefinition<CallContext, Path, Params, Query, Body, Answer>,
  around: RunAround<CallContext> = (own, answer) => answer(own),
): Call<CallContext> {
  const {
    run,
    statusOf,
    download,
    file = null,
    status = 200,
    positional = [],
    irreversible = null,
    continues = null,
    body = null,
  } = definition;
  const { command, method = READ, path, summary, answer: answerSchema, example = "" } = definition;
  const params: Shape = definition.params ?? paramsOf(path);
  // A misspelt filter would show or change what was not asked for.
  const query: Shape = (definition.query ?? NOTHING).strict();
  return {
    command,
    method,
    path,
    summary,
    answer: answerSchema,
    download: download === undefined ? null : (definition.isFile ?? false) ? "always" : "if_accepted",
    example,
    params,
    query,
    body: definition.describedBody ?? body,
    file,
    status,
    positional,
    irreversible,
    continues,
    async handle(context, own) {
      const checked = {
        params: context.get("checkedParams"),
        query: context.get("checkedQuery"),
        body: body === null ? {} : parseInput(body, await readJson(context.req, { orNone: true })),
      };
      if (file !== null) refuseEncoded(context.req);
      const sent = await download?.(own, inputOf(checked), context.req.header("Accept") ?? "");
      if (sent) return sendFile(context, sent);
      const text = file === null ? "" : decodeFile(await bytesOf(context.req));
      const answer = await carryOut(own, checked, text);
      return context.json(answer, statusOf?.(answerSchema.parse(answer)) ?? status);
    },
    perform(own, sent) {
      const checked = {
        params: parseInput(params, sent.params),
        query: parseInput(query, sent.query),
        body: body === null ? {} : parseInput(body, sent.body),
      };
      return carryOut(own, checked, sent.file);
    },
  };

  // The schemas, including those of the middleware, come from the definition, so their outputs are its input.
  function inputOf(checked: object): Input<Params, Query, Body> {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return withOwnCursor(command, checked) as Input<Params, Query, Body>;
  }

  async function carryOut(own: CallContext, checked: object, text: string): Promise<object> {
    const input = inputOf(checked);
    return around(own, async (context) => {
      const answer = answerSchema.parse(await run(context, input, text));
      return "cursor" in query.shape ? namingList(command, answer) : answer;
    });
  }
}

/** A cursor begins with the name of its list, so that another list's is refused instead of read as a place in this one. */
const prefixOf = (command: string) => `${command.replaceAll(" ", ".")}~`;

/** The input, with the cursor of its query as the list made it. @throws ServiceFailure `invalid_input` for another list's */
function withOwnCursor(command: string, checked: object): object {
  const query = "query" in checked ? checked.query : null;
  if (typeof query !== "object" || query === null || !("cursor" in query) || typeof query.cursor !== "string") return checked;
  const prefix = prefixOf(command);
  if (!query.cursor.startsWith(prefix)) rejectInput("cursor: must be the `next` of an earlier page of this list", "cursor");
  return { ...checked, query: { ...query, cursor: query.cursor.slice(prefix.length) } };
}

/** The answer, with the name of the list in the cursor of its next page. */
function namingList<Answer extends object>(command: string, answer: Answer): Answer {
  return "next" in answer && typeof answer.next === "string" ? { ...answer, next: `${prefixOf(command)}${answer.next}` } : answer;
}

function paramsOf(path: string): Shape {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
}
