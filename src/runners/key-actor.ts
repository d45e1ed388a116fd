import { DurableObject } from "cloudflare:workers";
import type { CellCode } from "../core/cell-code.ts";
import { runTraced, Trace } from "../core/trace.ts";
import type { Bindings } from "../env.ts";
import type { KeyRequest, KeyResponseAndCost } from "../idempotency/answer.ts";
import { isolateOf } from "../isolate.ts";
import type { KeyRunners } from "./key-runners.ts";

/**
 * One Durable Object per idempotency key. It serialises the requests of the key and runs the workflow. It does not use
 * Durable Object storage; `idempotency/runner.ts` explains why.
 */
export class KeyActor extends DurableObject<Bindings> {
  #runners: KeyRunners | undefined;

  /** Loaded with the first request: an isolate that serves no key needs none of it. */
  async #load(): Promise<KeyRunners> {
    const { KeyRunners: Runners } = await import("./key-runners.ts");
    this.#runners ??= new Runners(isolateOf(this.env).deps);
    return this.#runners;
  }

  /** Compensates the failed attempts of this key if this is due. Returns whether compensation was done. */
  async compensate(operation: string, recordId: string, cell: CellCode): Promise<boolean> {
    return (this.#runners ?? (await this.#load())).compensate(operation, recordId, cell);
  }

  /** The workflow runs to the end even if the caller disconnects, so that its result is stored. */
  async handle(request: KeyRequest): Promise<KeyResponseAndCost> {
    const runners = this.#runners ?? (await this.#load());
    const work = new Trace();
    const answer = runTraced(work, () => runners.handle(request));
    this.ctx.waitUntil(
      answer.then(
        () => undefined,
        () => undefined,
      ),
    );
    return { ...(await answer), cost: work.cost };
  }
}
