import type { z } from "zod";
import type { Environment } from "../core/environment.ts";
import { parseJson } from "../core/json.ts";
import type { Preview } from "../core/preview.ts";
import type { Write } from "../db/prepared.ts";
import type { VersionProtocol } from "./protocol.ts";
import type { RecordRun } from "./run.ts";

/**
 * An operation that must happen once per key. `plan` has every decision that is made before the first side effect.
 * `perform` carries out the plan and ends with `run.complete`; every repeat gets that result.
 */
export interface Workflow<Deps, Plan, Result> {
  readonly operation: string;
  readonly generation: VersionProtocol;
  readonly plan: z.ZodType<Plan>;
  readonly result: z.ZodType<Result>;
  /**
   * The environment of a plan, if the catalogue determines it. A caller without this environment may not resume the
   * run, because the catalogue may now give another one.
   */
  readonly environmentOf?: (plan: Plan) => Environment;
  /** Whether the cron may resume an interrupted run. If false, only a repeat of the caller may. */
  readonly autoResume: boolean;
  /** The budget of daily new records: the permission that its callers need. */
  readonly budget: string;
  /** What a plan makes, for a caller that looks before it starts it. Absent: only we start it. */
  readonly preview?: (plan: Plan) => Preview;
  perform(deps: Deps, plan: Plan, run: Run<Result>): Promise<Result>;
  /**
   * Whether what a result names can still be used by customers. A request without a key of its client gets the result of an
   * equal one only then; otherwise it is carried out again.
   */
  readonly isUsable?: (deps: Deps, result: Result, record: { readonly id: string }) => Promise<boolean>;
  /**
   * Compensates the upstream side effects of failed attempts that must not remain. It runs when no request can resume
   * the attempt: before the request starts over, after the last attempt, or a day later. It may run again.
   */
  readonly compensate?: (deps: Deps, plan: Plan, run: CompensationRun) => Promise<void>;
  /**
   * Whether compensation comes within minutes, even while a repeat could still resume the attempt. Then the repeat
   * starts over. For objects that customers could pay in between.
   */
  readonly compensateSoon?: boolean;
}

/** An ended run, for {@link Workflow.compensate}. */
export type CompensationRun = Pick<
  RecordRun,
  "recordId" | "partnerId" | "actor" | "createdAt" | "begunAt" | "budget" | "stepOutput" | "calledBetween"
>;

/** The run of a {@link Workflow} under one claimed record. */
export interface Run<Result> extends RunContext {
  /** Stores the result and `rows` in one transaction, and ends the run. */
  complete(result: Result, rows: readonly Write[]): Promise<Result>;
}

/** The part of a run that a workflow sees, whatever its result. */
type RunContext = Omit<RecordRun, "complete" | "completed" | "hasCompletedSteps" | "progress" | "write">;

/** Any workflow, for a list of workflows: plan and result types stay inside it. */
export interface AnyWorkflow<Deps> {
  readonly operation: string;
  readonly generation: VersionProtocol;
  readonly autoResume: boolean;
  readonly budget: string;
  readonly environmentOf: (planText: string) => Environment | null;
  perform(deps: Deps, planText: string, run: RecordRun): Promise<void>;
  readonly isUsable: ((deps: Deps, resultText: string, record: { readonly id: string }) => Promise<boolean>) | undefined;
  readonly compensate: ((deps: Deps, planText: string, run: CompensationRun) => Promise<void>) | undefined;
  readonly compensateSoon: boolean;
}

/** Hides the types of plan and result. The plan is JSON in the call to the Durable Object and in the record. */
export function eraseTypes<Deps, Plan, Result>(workflow: Workflow<Deps, Plan, Result>): AnyWorkflow<Deps> {
  const { operation, generation, autoResume, plan, result, isUsable, compensate, compensateSoon = false, budget, environmentOf } = workflow;
  return {
    operation,
    generation,
    autoResume,
    budget,
    environmentOf: (planText) => environmentOf?.(parseJson(plan, planText)) ?? null,
    async perform(deps, planText, run) {
      await workflow.perform(deps, parseJson(plan, planText), run);
    },
    isUsable: isUsable && ((deps, resultText, record) => isUsable(deps, parseJson(result, resultText), record)),
    compensate: compensate && ((deps, planText, run) => compensate(deps, parseJson(plan, planText), run)),
    compensateSoon,
  };
}
