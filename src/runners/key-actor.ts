import { DurableObject } from "cloudflare:workers";
import { depsOf } from "../build-deps.ts";
import type { CellCode } from "../core/cell-code.ts";
import { runTraced, Trace } from "../core/trace.ts";
import type { Bindings } from "../env.ts";
import type { KeyRequest, KeyResponseAndCost } from "../idempotency/answer.ts";
import { KeyRunners } from "./key-runners.ts";

/**
 * One Durable Object per idempotency key. It serialises the requests of the key and runs the workflow. It does not use
 * Durable Object storage; `idempotency/runner.ts` explains why.
 */
export class KeyActor extends DurableObject<Bindings> {
  readonly #runners: KeyRunners;

  constructor(state: DurableObjectState, bindings: Bindings) {
    super(state, bindings);
    this.#runners = new KeyRunners(depsOf(bindings));
  }

  /** Compensates the failed attempts of this key if this is due. Returns whether compensation was done. */
  compensate(operation: string, recordId: string, cell: CellCode): Promise<boolean> {
    return this.#runners.compensate(operation, recordId, cell);
  }

  /** The workflow runs to the end even if the caller disconnects, so that its result is stored. */
  async handle(request: KeyRequest): Promise<KeyResponseAndCost> {
    const work = new Trace();
    const answer = runTraced(work, () => this.#runners.handle(request));
    this.ctx.waitUntil(
      answer.then(
        () => undefined,
        () => undefined,
      ),
    );
    return { ...(await answer), cost: work.cost };
  }
}
