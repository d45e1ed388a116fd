import { DurableObject } from "cloudflare:workers";
import { perform, Work } from "./core/work.ts";
import { type CellDeps, type Deps, depsOf } from "./deps.ts";
import type { Bindings } from "./env.ts";
import type { KeyRequest, KeyResponseAndCost, RecordRef } from "./idempotency/answer.ts";
import { KeyRunner } from "./idempotency/runner.ts";
import { workflows } from "./workflows.ts";

/**
 * One object per idempotency key. It serialises the requests of the key and runs the workflow. It does not use Durable
 * Object storage; `idempotency/runner.ts` explains why.
 */
export class OperationObject extends DurableObject<Bindings> {
  readonly #deps: Deps;
  #runner: KeyRunner<CellDeps> | null = null;

  constructor(state: DurableObjectState, bindings: Bindings) {
    super(state, bindings);
    this.#deps = depsOf(bindings);
  }

  /** The runner in the record's cell. All calls of an object have the same record id: it is the object's name. */
  #runnerOf(recordId: string): KeyRunner<CellDeps> {
    const deps = this.#deps.inCellOf(recordId);
    if (deps === null) throw new Error(`no cell has the record ${recordId}`);
    this.#runner ??= new KeyRunner(deps);
    return this.#runner;
  }

  /** Compensates the failed attempts of this key if this is due. Returns whether compensation was done. */
  compensate(operation: string, recordId: string): Promise<boolean> {
    return this.#runnerOf(recordId).compensate(workflowOf(operation), recordId);
  }

  /** Whether a repeat gets the result of this time, as far as this object remembers. */
  stillStands(record: RecordRef): boolean {
    return this.#runnerOf(record.recordId).stillStands(workflowOf(record.operation), record);
  }

  /** The workflow runs to the end even if the caller disconnects, so that its result is stored. */
  async handle(request: KeyRequest): Promise<KeyResponseAndCost> {
    const work = new Work();
    const answer = perform(work, () => this.#runnerOf(request.recordId).handle(workflowOf(request.operation), request));
    this.ctx.waitUntil(
      answer.then(
        () => undefined,
        () => undefined,
      ),
    );
    return { ...(await answer), cost: work.cost };
  }
}

function workflowOf(operation: string) {
  const work = workflows.get(operation);
  if (work === undefined) throw new Error(`unknown workflow: ${operation}`);
  return work;
}
