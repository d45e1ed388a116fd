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

  /** Takes back what this key's failed attempts have left upstream, if that is due; gives whether it did. */
  cleanUp(operation: string, recordId: string): Promise<boolean> {
    return this.#runner.cleanUp(workOf(operation), recordId);
  }

  /** Work goes on to its end even if the caller has gone away: a stored answer is worth more than a saved second. */
  async handle(request: KeyRequest): Promise<KeyAnswer> {
    const answer = this.#runner.handle(workOf(request.operation), request);
    this.ctx.waitUntil(
      answer.then(
        () => undefined,
        () => undefined,
      ),
    );
    return answer;
  }
}

function workOf(operation: string) {
  const work = works.get(operation);
  if (work === undefined) throw new Error(`no work is called ${operation}`);
  return work;
}
