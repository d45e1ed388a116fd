import { type Context, Hono, type MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { type OperationError, rejectInput } from "../../core/errors.ts";
import { lazy } from "../../core/lazy.ts";
import type { Caller } from "../../partners/authenticate.ts";
import type { Permission } from "../../partners/permissions.ts";
import type { RequestKind } from "../../rate-limits/admission.ts";
import { authenticateBy, type KeyLocation } from "../authenticate.ts";
import { bytesOf, decodeText, limitBody, refuseEncoded, requireJsonObject } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { refuseDryRun, refuseDryRunField } from "../dry-run.ts";
import { fieldsOf, withoutNulls } from "../fields.ts";
import { parseInput } from "../shape.ts";
import { v1 } from "./generation.ts";

type Fields = z.ZodObject<Readonly<Record<string, z.ZodType>>>;

/** The description of an operation of the first generation with real HTTP statuses. There are two. */
interface StatusDescription {
  readonly name: string;
  /** Its short name in menus. */
  readonly title: string;
  /** Its name in the clients that partners install; null for one that others have replaced. */
  readonly method: `${string}.${string}` | null;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly kind: RequestKind;
  /** Null: any partner key is accepted. */
  readonly permission: Permission | null;
  readonly key: KeyLocation;
  readonly query: Fields;
  readonly bodyType: "application/json" | "application/x-www-form-urlencoded";
  readonly input: Fields;
  /** The whole body of a success. */
  readonly output: z.ZodObject;
  readonly failures: readonly OperationError["kind"][];
  /** An example without the API key. */
  readonly example: {
    readonly query: Readonly<Record<string, string>>;
    readonly request: Readonly<Record<string, unknown>>;
    readonly response: object;
  };
}

export interface StatusOperation extends StatusDescription {
  readonly path: string;
  readonly routes: Hono<AppEnv>;
}

interface StatusOperationDefinition<Query extends Fields, Input extends Fields> extends StatusDescription {
  readonly query: Query;
  readonly input: Input;
  /** A further permission that the caller's partner has agreed on. */
  readonly alsoNeeds?: (caller: Caller) => Permission | null;
  /** Middleware that runs first, also for requests that fail. */
  readonly before?: MiddlewareHandler<AppEnv>;
  /** Executes the request. @throws ServiceFailure. */
  readonly handle: (context: Context<AppEnv>, body: z.output<Input>, query: z.output<Query>) => Promise<Response>;
}

/** For `query`, if there are no parameters. */
export const NO_QUERY = z.object({});

/** Builds an operation with its route. It checks the body, key, permission, query and fields, in this order. */
export function defineStatusOperation<Query extends Fields, Input extends Fields>(
  definition: StatusOperationDefinition<Query, Input>,
): StatusOperation {
  const { before = pass, handle, alsoNeeds, ...described } = definition;
  const { key, permission, kind, query, input, bodyType } = described;
  const path = `${v1.prefix}${described.name}`;
  const isForm = bodyType === "application/x-www-form-urlencoded";
  const fields = lazy(() => fieldsOf(input));
  const checks = [
    limitBody,
    isForm ? requireForm : requireJsonObject,
    authenticateBy({ location: key, permission, kind, environment: "any", ...(alsoNeeds === undefined ? {} : { alsoNeeds }) }),
  ] as const;
  const routes = new Hono<AppEnv>().use(path, before).post(path, ...checks, async (context) => {
    const { searchParams } = new URL(context.req.url);
    const asked = parseInput(query, onceOf(searchParams));
    const sent: unknown = isForm ? onceOf(new URLSearchParams(decodeText(await context.req.arrayBuffer()))) : await context.req.json();
    const body = z.record(z.string(), z.unknown()).parse(sent);
    if (kind !== "read") {
      refuseDryRun(context.req.raw.headers);
      refuseDryRunField([...searchParams.keys(), ...Object.keys(body)], "this operation has none");
    }
    return handle(context, parseInput(input, withoutNulls(fields(), body)), asked);
  });
  return { ...described, path, routes };
}

const pass = createMiddleware<AppEnv>((_context, next) => next());

/** Requires a form body, before any other check; a missing body counts as an empty form. */
const requireForm = createMiddleware<AppEnv>(async (context, next) => {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(context.req.header("Content-Type") ?? "");
  const { byteLength } = await bytesOf(context.req);
  refuseEncoded(context.req);
  if (!isForm && byteLength > 0) rejectInput("send the body as a form, with the header Content-Type: application/x-www-form-urlencoded");
  await next();
});

/** The fields of a query or a form. A field that is sent twice is ambiguous and counts as missing. */
function onceOf(fields: URLSearchParams): Record<string, string> {
  const names = [...fields.keys()].filter((name) => fields.getAll(name).length === 1);
  return Object.fromEntries(names.map((name) => [name, fields.get(name) ?? ""]));
}
