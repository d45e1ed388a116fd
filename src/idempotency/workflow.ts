import type { z } from "zod";
import type { Actor } from "../core/actor.ts";
import type { CallBudget } from "../core/call-budget.ts";
import type { Environment } from "../core/environment.ts";
import { parseJson } from "../core/json.ts";
import type { Preview } from "../core/preview.ts";
import type { Write } from "../db/prepared.ts";
import type { VersionProtocol } from "./protocol.ts";

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
  RunContext,
  "recordId" | "partnerId" | "actor" | "createdAt" | "begunAt" | "budget" | "stepOutput" | "calledBetween"
>;

/** The run of a {@link Workflow} under one claimed record. */
export interface Run<Result> extends RunContext {
  /** Stores the result and `rows` in one transaction, and ends the run. */
  complete(result: Result, rows: readonly Write[]): Promise<Result>;
}

/** The part of a run that does not depend on its result type. */
interface RunContext {
  readonly recordId: string;
  readonly partnerId: string;
  /** Who started the run. What it makes names this holder. */
  readonly actor: Actor;
  /** The limit for all upstream calls of this run together; it counts their retries. */
  readonly budget: CallBudget;
  /** The time of the first request, in Unix milliseconds. An expired result that starts over sets it again. */
  readonly createdAt: number;
  /** When the record last started or started over, in Unix milliseconds. A resumed run keeps it. */
  readonly begunAt: number;
  /** Failed attempts since {@link RunContext.createdAt}. */
  readonly failedAttempts: number;
  /** Whether an earlier run of this attempt may have done more than the record shows. */
  readonly resumed: boolean;

  /** Whether the upstream may have forgotten the attempt's keys. Then a search must precede each call. */
  readonly keysAreOld: boolean;

  /**
   * The period in which calls under the attempt's current keys were made, in Unix milliseconds. A search looks for
   * objects created in it.
   */
  calledBetween(): { readonly from: number; readonly to: number };

  /** Gives the attempt new keys. Call it only if the calls under the old keys certainly created nothing. */
  renewKeys(): Promise<void>;

  /**
   * The upstream key of a step, valid while {@link RunContext.keysAreOld} is false. `variant` separates calls of one
   * step with other parameters.
   */
  upstreamKey(step: string, variant?: string): Promise<string>;

  /**
   * The output of a step: from the record if an earlier run has stored it, else from `make`. A new output is stored in
   * one transaction with the rows that follow from it, before anything else happens.
   */
  step<Output>(
    name: string,
    schema: z.ZodType<Output>,
    make: () => Promise<Output>,
    rows: (output: Output) => readonly Write[],
  ): Promise<Output>;

  /** The output of a step of this run, or of an earlier run that this one continues. */
  stepOutput<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;

  /** Like {@link RunContext.step}, for a query that is cheap to repeat: its output is stored with the next write. */
  memo<Output>(name: string, schema: z.ZodType<Output>, ask: () => Promise<Output>): Promise<Output>;

  /** A value that this attempt stored by {@link RunContext.saveNote} or {@link RunContext.memo}. */
  readNote<Output>(name: string, schema: z.ZodType<Output>): Output | undefined;

  /** Stores a value for a resumed run, before this run continues. */
  saveNote(name: string, output: unknown): Promise<void>;
}

/** A run whose workflow has not yet given its result a type. It serves as a {@link Run} of any result. */
export interface UntypedRun extends RunContext {
  complete<Result>(result: Result, rows: readonly Write[]): Promise<Result>;
}

/** Any workflow, for a list of workflows: plan and result types stay inside it. */
export interface AnyWorkflow<Deps> {
  readonly operation: string;
  readonly generation: VersionProtocol;
  readonly autoResume: boolean;
  readonly budget: string;
  readonly environmentOf: (planText: string) => Environment | null;
  perform(deps: Deps, planText: string, run: UntypedRun): Promise<void>;
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
