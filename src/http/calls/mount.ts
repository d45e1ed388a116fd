import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { annotateTrace } from "../../core/trace.ts";
import { limitBody, limitBodyTo, rejectSizeOver } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { refuseDryRun } from "../dry-run.ts";
import { checkShape } from "../shape.ts";
import type { Call } from "./call.ts";
import { pageQuery } from "./paging.ts";
import { CallRefusal } from "./refusal.ts";

/** How an audience's calls are served. */
interface Mounting<CallContext, Needs> {
  /** Stands before the commands' words in points and logs. */
  readonly prefix: "ops " | "partner ";
  /** Checks the caller, before any input is read. */
  readonly guard: (call: Call<CallContext> & Needs, context: Context<AppEnv>) => Promise<void> | void;
  /** The context of the call, for a caller that passed. */
  readonly contextOf: (context: Context<AppEnv>) => CallContext;
}

/** Mounts calls. An unsupported method is refused with the supported ones. */
export function mountCalls<CallContext, Needs>(
  calls: readonly (Call<CallContext> & Needs)[],
  { prefix, guard, contextOf }: Mounting<CallContext, Needs>,
): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const call of calls) {
    const path = routeOf(call.path);
    const most = call.file === null ? limitBody : limitBodyTo(call.file.maxBytes, rejectSizeOver(call.file.maxBytes));
    const permitted = createMiddleware<AppEnv>(async (context, next) => {
      annotateTrace({ operation: `${prefix}${call.command}` });
      if (call.method !== "GET") refuseDryRun(context.req.raw.headers);
      await guard(call, context);
      return next();
    });
    const checkParams = checkShape("param", call.params, (context, checked) => context.set("checkedParams", checked));
    const checkQuery = checkShape("query", acceptedQuery(call), (context, checked) => context.set("checkedQuery", checked));
    app.on(call.method, [path], permitted, most, checkParams, checkQuery, (context: Context<AppEnv>) => {
      const answer = call.handle(context, contextOf(context));
      // The platform stops a request whose caller is gone. A change runs to its end.
      if (call.method !== "GET") context.executionCtx.waitUntil(answer.catch(() => undefined));
      return answer;
    });
  }
  for (const path of new Set(calls.map((call) => call.path))) {
    const methods = calls.filter((call) => call.path === path).map((call) => (call.method === "GET" ? "GET, HEAD" : call.method));
    const allow = [...new Set(methods)].join(", ");
    app.all(routeOf(path), (context) => {
      context.header("Allow", allow);
      throw new CallRefusal(405, `This address only accepts ${allow}.`);
    });
  }
  return app;
}

/** A client pages through all lists alike: one that always answers whole takes `limit` and `cursor` too, and needs neither. */
function acceptedQuery({ query, answer }: Pick<Call, "query" | "answer">) {
  const isWholeList = answer instanceof z.ZodObject && "next" in answer.shape && !("limit" in query.shape);
  return isWholeList ? query.extend(pageQuery) : query;
}

/** The router's spelling of a path with parameters. */
function routeOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
