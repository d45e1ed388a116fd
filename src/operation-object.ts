import { DurableObject } from "cloudflare:workers";
import { buildTools, type Tools } from "./deps.ts";
import type { Bindings } from "./env.ts";
import type { KeyAnswer, KeyRequest } from "./idempotency/answer.ts";
import { KeyRunner } from "./idempotency/runner.ts";
import { works } from "./works.ts";

/**
 * One object per idempotency key: it serialises the key's requests and runs the work. It keeps nothing in its own
 * storage; `idempotency/runner.ts` has the reasons.
 */
export class OperationObject extends DurableObject<Bindings> {
  readonly #runner: KeyRunner<Tools>;

  constructor(state: DurableObjectState, bindings: Bindings) {
    super(state, bindings);
    this.#runner = new KeyRunner(buildTools(bindings));
  }

  /** Work goes on to its end even if the caller has gone away: a stored answer is worth more than a saved second. */
  async handle(request: KeyRequest): Promise<KeyAnswer> {
    const work = works.get(request.operation);
    if (work === undefined) throw new Error(`no work is called ${request.operation}`);
    const answer = this.#runner.handle(work, request);
    this.ctx.waitUntil(
      answer.then(
        () => undefined,
        () => undefined,
      ),
    );
    return answer;
  }
}
