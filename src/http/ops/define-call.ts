import * as z from "zod";
import type { Actor } from "../../core/actor.ts";
import type { CellCode } from "../../core/cell-code.ts";
import { isoTimeOrNull } from "../../core/clock.ts";
import type { Deps } from "../../deps.ts";
import { lastReached } from "../../health/heartbeats.ts";
import type { NeededRole } from "../../operators/roles.ts";
import { buildCall, type Call, type CallDefinition, READ, type Shape, type TextParams } from "../calls/call.ts";
import { CallRefusal } from "../calls/refusal.ts";

/** The context of an operators' call besides its input. */
interface OpsContext {
  readonly deps: Deps;
  readonly actor: Actor;
}

export interface OpsNeeds {
  readonly role: NeededRole;
  /**
   * Whether the call answers from the reachable databases and lists the unreachable cells. Default: true for a reading
   * call.
   */
  readonly isPartial?: boolean;
}

/** An operators' call, with any input. */
export interface OpsCall extends Call<OpsContext> {
  readonly role: NeededRole;
  readonly isPartial: boolean;
}

/** Builds an operators' call. */
export function defineCall<
  Path extends string,
  Answer extends z.ZodType<object>,
  Params extends Shape = TextParams<Path>,
  Query extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
>(definition: CallDefinition<OpsContext, Path, Params, Query, Body, Answer> & OpsNeeds): OpsCall {
  const { role, isPartial = (definition.method ?? READ) === READ } = definition;
  return { ...buildCall(definition, isPartial ? answerPartly : undefined), role, isPartial };
}

/** An unreachable cell. */
export const lostCell = z.object({
  cell: z.string(),
  since: z.string().nullable().describe("When the cron last reached it; null for never"),
  says: z.string(),
});

/** Answers from the reachable databases. The answer lists the unreachable cells. */
async function answerPartly(context: OpsContext, answer: (context: OpsContext) => Promise<object>): Promise<object> {
  const deps = context.deps.answeringPartly();
  const { reach } = deps;
  try {
    const found = await answer({ ...context, deps });
    return reach.lost.size === 0 ? found : { ...found, out_of_reach: await viewLost(deps, reach.lost) };
  } catch (thrown) {
    if (!(thrown instanceof CallRefusal) || thrown.status !== 404 || reach.lost.size === 0) throw thrown;
    const cells = [...reach.lost].join(", ");
    throw new CallRefusal(502, `${thrown.message} It may be in an unreachable cell: ${cells}. Try again.`);
  }
}

async function viewLost({ directory }: Deps, lost: ReadonlySet<CellCode>): Promise<z.input<typeof lostCell>[]> {
  const reached = await lastReached(directory, [...lost]);
  return [...reached].map(([cell, at]) => ({
    cell,
    since: isoTimeOrNull(at),
    says: `Cell ${cell} is unreachable: its data is missing here.`,
  }));
}
