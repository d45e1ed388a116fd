import type { z } from "zod";
import { SERVICE_NAME } from "../core/actor.ts";
import type { CellCode, IdCode } from "../core/cell-code.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { parseJson } from "../core/json.ts";
import { NotStarted, type Preview, type StartRule, withWarning } from "../core/preview.ts";
import { addCost, NO_COST } from "../core/trace.ts";
import type { Cell } from "../db/client.ts";
import type { KeyRequest, KeyResponse, KeyResponseAndCost } from "./answer.ts";
import { fingerprintOf, keyTextOf, type RequestKey, recordIdOf } from "./key.ts";
import { readRecord } from "./store.ts";
import type { Workflow } from "./workflow.ts";

/** The interface of a key's Durable Object. */
export interface KeyObject {
  handle(request: KeyRequest): Promise<KeyResponseAndCost>;
  /** Compensates failed attempts if this is due and no run is live. Returns whether compensation was done. */
  compensate(operation: string, recordId: string, cell: CellCode): Promise<boolean>;
}

/**
 * Returns a client of a record's Durable Object, which is created near the record's cell. Each call creates a new
 * client, because a client whose object broke stays broken.
 */
export type KeyActors = (recordId: string, cell: CellCode) => KeyObject;

interface IdempotentRequest<Plan> {
  /** The partner, its current cell, and its id code. */
  readonly caller: {
    readonly partnerId: string;
    readonly cell: CellCode;
    readonly idCode: IdCode;
    readonly earlier: readonly { readonly cell: CellCode }[];
    readonly environments?: readonly Environment[];
    /** What the caller may start; absent: everything. */
    readonly starts?: StartRule;
  };
  /** Who makes what the request makes: the name of the holder, or of an operator, in the audit log. */
  readonly holder: string;
  readonly key: RequestKey;
  /**
   * The request as sent, without credentials and key. Requests with equal content are equal. There is more than one if
   * the content includes a catalogue value that cannot be read: one for each possible value.
   */
  readonly contents: readonly [unknown, ...unknown[]];
  /** Builds the plan of a new run. If it throws, the request is refused, unless its key already has a run. */
  readonly plan: () => Plan;
}

/** Wraps the objects so that their log lines and records carry the HTTP request id. */
export function traced(objects: KeyActors, trace: string): KeyActors {
  return (recordId, cell) => ({
    handle: (request) => objects(recordId, cell).handle({ ...request, requestId: trace, trace }),
    compensate: (...what) => objects(recordId, cell).compensate(...what),
  });
}

type WorkflowRef<Plan, Result> = Pick<Workflow<never, Plan, Result>, "generation" | "operation" | "plan" | "result" | "preview">;

/**
 * Runs a workflow once per key and returns its result, with the id of its record. `replayed`: an earlier request produced the
 * result. The record
 * decides first: the plan is only used to start a run (docs/interface.md G.6).
 * @throws NotStarted if the caller's rule holds the run that would start.
 * @throws ServiceFailure from the plan or the workflow, or from the state of the key (`operation_in_progress`,
 * `key_reused_with_different_payload`, `previous_attempt_failed`). Throws `internal` if two calls to the object failed;
 * the client may then repeat the same request, and the workflow resumes.
 */
export async function runIdempotent<Plan, Result>(
  objects: KeyActors,
  workflow: WorkflowRef<Plan, Result>,
  request: IdempotentRequest<Plan>,
): Promise<{ result: Result; replayed: boolean; recordId: string }> {
  const { partnerId, cell, idCode, earlier } = request.caller;
  const [first, ...others] = request.contents;
  const fingerprint = await fingerprintOf(first);
  const key = keyTextOf(workflow.generation.name, request.key, fingerprint);
  const planned = planOrRefusal(request.plan);
  const held = heldBy(request, workflow, planned);
  const recordId = await recordIdOf(idCode, { partnerId, generation: workflow.generation.name, operation: workflow.operation, key });
  const answer = await callWithRetry(objects, {
    recordId,
    cell,
    earlier: earlier.map((one) => one.cell),
    partnerId,
    holder: request.holder,
    environments: request.caller.environments,
    operation: workflow.operation,
    key,
    fingerprints: [fingerprint, ...(await Promise.all(others.map(fingerprintOf)))],
    start: startOf(planned, held),
    requestId: crypto.randomUUID(),
    manual: false,
    ...(request.caller.starts?.isDryRun === true ? { isDryRun: true } : {}),
  });
  if (!answer.ok && answer.begun !== undefined) throw new NotStarted(previewOf(workflow, parseJson(workflow.plan, answer.begun)), true);
  if (held !== null && !answer.ok && answer.isRefusal === true) throw new NotStarted(held);
  // The refusal itself has the cause for the log.
  if ("refusal" in planned && !answer.ok && answer.isRefusal === true) throw planned.refusal;
  return { ...resultOf(workflow, answer), recordId };
}

type Planned<Plan> = { readonly plan: Plan } | { readonly refusal: ServiceFailure };

/** What a new run would make, if the caller's rule holds it; null if it may start. */
function heldBy<Plan, Result>(
  { caller: { starts }, key }: IdempotentRequest<Plan>,
  workflow: WorkflowRef<Plan, Result>,
  planned: Planned<Plan>,
): Preview | null {
  if (starts === undefined || !("plan" in planned)) return null;
  const known = previewOf(workflow, planned.plan);
  const all = key.kind === "client" ? known : withWarning(known, "no_key");
  return starts.holds(all) ? all : null;
}

/** Throws for a workflow that only we start: a rule would hold nothing of it. */
function previewOf<Plan, Result>({ operation, preview }: WorkflowRef<Plan, Result>, plan: Plan): Preview {
  if (preview === undefined) throw new Error(`${operation} has no preview`);
  return preview(plan);
}

function startOf<Plan>(planned: Planned<Plan>, held: Preview | null): KeyRequest["start"] {
  if (!("plan" in planned)) return { refusal: planned.refusal.error };
  return held === null ? { plan: JSON.stringify(planned.plan) } : { refusal: { kind: "internal" } };
}

function planOrRefusal<Plan>(plan: () => Plan): Planned<Plan> {
  try {
    return { plan: plan() };
  } catch (thrown) {
    return { refusal: thrown instanceof ServiceFailure ? thrown : new ServiceFailure({ kind: "internal" }, { cause: thrown }) };
  }
}

/**
 * Manually completes a record that lacks only its short link. Returns null if there is no record, or its result has
 * expired. A completed record is replayed. `onBegin` runs before a waiting record is completed.
 * @throws ServiceFailure as {@link runIdempotent}. If the record is in another state, throws the error of that state.
 */
export async function completeManually<Result>(
  deps: { readonly databaseName: CellCode; readonly db: Cell; readonly keyActors: KeyActors },
  { result }: { readonly result: z.ZodType<Result> },
  recordId: string,
  onBegin: () => Promise<void>,
): Promise<Result | null> {
  const record = await readRecord(deps.db, recordId);
  if (record === undefined) return null;
  // The result has expired. The record belonged to another link: a record without its short link is never completed.
  if (record.state === "completed" && record.result === null) return null;
  if (record.state === "awaiting_short_link") await onBegin();
  const { partnerId, operation, key, fingerprint, plan, holder } = record;
  const whose = {
    recordId,
    cell: deps.databaseName,
    partnerId,
    holder: holder ?? SERVICE_NAME,
    operation,
    key,
    fingerprints: [fingerprint],
    start: { plan },
  } as const;
  const request = { ...whose, requestId: crypto.randomUUID(), manual: true };
  return resultOf({ result }, await callWithRetry(deps.keyActors, request)).result;
}

function resultOf<Result>(workflow: { readonly result: z.ZodType<Result> }, answer: KeyResponse): { result: Result; replayed: boolean } {
  if (!answer.ok) throw new ServiceFailure(answer.error);
  return { result: workflow.result.parse(JSON.parse(answer.result)), replayed: answer.replayed };
}

/** Retries once if the object dies during the call (deployment, migration): the workflow resumes from its record. */
async function callWithRetry(objects: KeyActors, request: KeyRequest): Promise<KeyResponse> {
  const call = async (): Promise<KeyResponse> => {
    // An object of an earlier build returns no cost.
    const { cost = NO_COST, ...answer } = await objects(request.recordId, request.cell).handle(request);
    addCost(cost);
    return answer;
  };
  try {
    return await call();
  } catch {
    try {
      return await call();
    } catch (cause) {
      throw new ServiceFailure({ kind: "internal" }, { cause });
    }
  }
}
