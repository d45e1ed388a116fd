import type { CallBudget } from "../../src/core/call-budget.ts";
import type { PaymentFacts, Source } from "../../src/processor/facts.ts";
import { cellDeps } from "./cells.ts";
import { withMethods } from "./processor.ts";

/**
 * Dependencies whose first look at the processor shows changed facts; later looks show the real ones. `ago`: how far their
 * clock is behind, in milliseconds.
 */
export function seeingFirst(change: (facts: PaymentFacts) => PaymentFacts, ago = 0) {
  const real = cellDeps();
  let looks = 0;
  const retrieve = async (source: Source, options: { budget: CallBudget }): Promise<PaymentFacts> => {
    const facts = await real.processor("test").retrieve(source, options);
    looks += 1;
    return looks === 1 ? change(facts) : facts;
  };
  return {
    ...real,
    clock: { now: () => Date.now() - ago },
    processor: () => withMethods(real.processor("test"), { retrieve }),
    looks: () => looks,
  };
}
