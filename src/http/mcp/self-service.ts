import * as z from "zod";
import { type Environment, environments } from "../../core/environment.ts";
import { ServiceFailure } from "../../core/errors.ts";
import { lazy } from "../../core/lazy.ts";
import { annotateTrace } from "../../core/trace.ts";
import type { Deps } from "../../deps.ts";
import { holderName } from "../../partners/authenticate.ts";
import { isPermission } from "../../partners/permissions.ts";
import { admitRequest } from "../../rate-limits/admission.ts";
import { budgetOf, callerOf } from "../authenticate.ts";
import { fieldsOf, refuseUnknown, withoutNulls } from "../fields.ts";
import { partnersObjectCalls } from "../objects/index.ts";
import { READ_ONLY } from "../operation.ts";
import type { PartnerCall } from "../partner/define-call.ts";
import { v2 } from "../v2/generation.ts";
import type { AgentOperation } from "./agent-operation.ts";

/** Reading calls of partners, as operations for agents: what is delivered, what was refused and why, and the links. */
export const readingOperations: readonly AgentOperation[] = partnersObjectCalls.flatMap((call) =>
  call.forAgents === null ? [] : [toOperation(call, call.forAgents)],
);

function toOperation(call: PartnerCall, forAgents: NonNullable<PartnerCall["forAgents"]>): AgentOperation {
  const { tool: name, hint, ofOneEnvironment, without = [] } = forAgents;
  // Texts of path and query become the arguments of one object.
  const shape = { ...call.params.shape, ...call.query.shape };
  for (const field of without) if (!(field in call.query.shape)) throw new Error(`${name} has no field ${field} to leave out`);
  const input = z.object(Object.fromEntries(Object.entries(shape).filter(([field]) => !without.includes(field))));
  const fields = lazy(() => fieldsOf(input));
  return {
    name,
    title: titleOf(name),
    description: `${call.summary}.`,
    hint,
    effect: READ_ONLY,
    generation: v2,
    permission: neededFor(call).permission,
    input,
    output: z.object({ success: z.literal(true) }).extend(shapeOf(call.answer)),
    async invoke(deps, credentials, sent) {
      annotateTrace({ operation: name });
      const { caller } = await callerOf(deps, neededFor(call), credentials, {});
      // One query is counted already.
      await admitRequest(deps.rateLimits, budgetOf(caller, neededFor(call), "any"), call.weight - 1);
      const body = withoutNulls(fields(), z.record(z.string(), z.unknown()).parse(sent));
      refuseUnknown(fields(), body, { ...v2, insteadOf: {}, ignored: new Set(["api_key"]) });
      const given = credentials.by === "grant" ? credentials.grantee.environments : environments;
      // A list without an environment is of both.
      const isOfBoth = hasEnvironment(call) && body.environment === undefined && ofOneEnvironment !== "own";
      const asked = isOfBoth ? environments : [body.environment];
      for (const one of asked) requireGiven(given, one);
      const isPartial = given.length < environments.length;
      if (isPartial && ofOneEnvironment === "refused")
        requireGiven(
          given,
          environments.find((one) => !given.includes(one)),
        );
      const named = Object.fromEntries(Object.entries(body).filter(([field]) => field in call.query.shape));
      const others = isPartial ? besideNamed(named, ofOneEnvironment, given) : {};
      const query = { ...named, ...others };
      const answer = await call.perform(contextOf(deps, caller), { params: body, query, body: {}, file: "" });
      return { success: true, ...ofGiven(answer, given) };
    },
  };
}

/**
 * The query fields of an agent of one environment, besides those that it named: what it sees of rows that may have none, or its
 * environment where the rows of both are one list. @throws ServiceFailure `environment_missing` where it named something else
 */
function besideNamed(
  named: Readonly<Record<string, unknown>>,
  only: NonNullable<PartnerCall["forAgents"]>["ofOneEnvironment"],
  given: readonly Environment[],
): Readonly<Record<string, unknown>> {
  if (only === "own") return { environment: given[0] };
  if (typeof only !== "object") return {};
  const isOther = Object.entries(only).some(([field, value]) => named[field] !== undefined && named[field] !== value);
  if (isOther)
    requireGiven(
      given,
      environments.find((one) => !given.includes(one)),
    );
  return only;
}

/** The words of a tool's name: "List orders" for `list-partner-orders`. Its description is the call's summary. */
function titleOf(name: string): string {
  const words = name.replace("-partner-", " ").replaceAll("-", " ");
  return `${words[0]?.toUpperCase()}${words.slice(1)}`;
}

function neededFor({ permission }: PartnerCall) {
  const needed = isPermission(permission) ? permission : null;
  return { location: "header_or_body", permission: needed, kind: "read", environment: "any" } as const;
}

function contextOf(deps: Deps, caller: Awaited<ReturnType<typeof callerOf>>["caller"]): Parameters<PartnerCall["perform"]>[0] {
  const actor = { name: holderName(caller.holder), requestId: "" };
  return { deps, own: deps.ofPartner(caller), caller, actor, signedIn: null, isOperator: false, dropCookie: () => undefined };
}

const hasEnvironment = ({ query }: PartnerCall) => "environment" in query.shape;

/** @throws ServiceFailure `environment_missing` if the agent's grant does not cover the environment. */
function requireGiven(given: readonly Environment[], asked: unknown): void {
  const missing = environments.find((one) => one === asked && !given.includes(one));
  if (missing !== undefined) throw new ServiceFailure({ kind: "environment_missing", environment: missing });
}

/** The answer without what an agent's grant does not cover. An entry without an environment is in both. */
function ofGiven(answer: object, given: readonly Environment[]): object {
  if (given.length === environments.length) return answer;
  if (!("data" in answer) || !Array.isArray(answer.data)) {
    requireGiven(given, environmentIn(answer));
    return answer;
  }
  const data: readonly unknown[] = answer.data;
  return {
    ...answer,
    data: data.filter((one) => (environmentIn(one) ?? null) === null || given.some((own) => own === environmentIn(one))),
  };
}

function environmentIn(value: unknown): unknown {
  return typeof value === "object" && value !== null && "environment" in value ? value.environment : undefined;
}

function shapeOf(answer: z.ZodType): z.ZodRawShape {
  return answer instanceof z.ZodObject ? answer.shape : {};
}
