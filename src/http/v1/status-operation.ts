import { type Context, Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { z } from "zod";
import { rejectInput, type ServiceError } from "../../core/errors.ts";
import type { Permission } from "../../partners/permissions.ts";
import { authenticateBy, type KeyPlace } from "../authenticate.ts";
import { decodeText, limitBody, requireJsonObject } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { parseInput } from "../operation.ts";

type Fields = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** What is said of an operation of the first generation that answers with real HTTP statuses. There are two. */
interface Said {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** Null: any key of a partner may. */
  readonly permission: Permission | null;
  readonly key: KeyPlace;
  readonly query: Fields;
  readonly bodyType: "application/json" | "application/x-www-form-urlencoded";
  readonly input: Fields;
  /** The whole body of a success. */
  readonly output: z.ZodObject;
  readonly failures: readonly ServiceError["kind"][];
  /** Without the key. */
  readonly example: {
    readonly query: Readonly<Record<string, string>>;
    readonly request: Readonly<Record<string, unknown>>;
    readonly response: object;
  };
}

export interface StatusOperation extends Said {
  readonly path: string;
  readonly routes: Hono<AppEnv>;
}

interface Definition<Query extends Fields, Input extends Fields> extends Said {
  readonly query: Query;
  readonly input: Input;
  /** What is done first, whatever comes of the request. */
  readonly before?: MiddlewareHandler<AppEnv>;
  /** Carries out the request. @throws ServiceFailure. */
  readonly handle: (context: Context<AppEnv>, body: z.output<Input>, query: z.output<Query>) => Promise<Response>;
}

/** For `query`, where there is none. */
export const NO_QUERY = z.object({});

/** The operation with its route: body, key, permission, query and fields are checked in this order. */
export function defineStatusOperation<Query extends Fields, Input extends Fields>(definition: Definition<Query, Input>): StatusOperation {
  const { before = pass, handle, ...said } = definition;
  const { key, permission, query, input, bodyType } = said;
  const path = `/webhook/${said.name}`;
  const isForm = bodyType === "application/x-www-form-urlencoded";
  const checks = [limitBody, isForm ? requireForm : requireJsonObject, authenticateBy(key, permission)] as const;
  const routes = new Hono<AppEnv>().use(path, before).post(path, ...checks, async (context) => {
    const asked = parseInput(query, onceOf(new URL(context.req.url).searchParams));
    const body: unknown = isForm ? onceOf(new URLSearchParams(decodeText(await context.req.arrayBuffer()))) : await context.req.json();
    return handle(context, parseInput(input, body), asked);
  });
  return { ...said, path, routes };
}

const pass = createMiddleware<AppEnv>((_context, next) => next());

/** Makes sure that the body is a form, before anything else is looked at; none is an empty one. */
const requireForm = createMiddleware<AppEnv>(async (context, next) => {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(context.req.header("Content-Type") ?? "");
  const { byteLength } = await context.req.arrayBuffer();
  if (!isForm && byteLength > 0) rejectInput("send the body as a form, with the header Content-Type: application/x-www-form-urlencoded");
  await next();
});

/** The fields of a query or a form. One that stands there twice does not say which it means, and counts as none. */
function onceOf(fields: URLSearchParams): Record<string, string> {
  const names = [...fields.keys()].filter((name) => fields.getAll(name).length === 1);
  return Object.fromEntries(names.map((name) => [name, fields.get(name) ?? ""]));
}
