import Stripe from "stripe";
import { ServiceFailure } from "../core/errors.ts";
import type { Account } from "./account.ts";
import { callProcessor } from "./calls.ts";
import { RESOURCES } from "./needed-rights.ts";
import type { Call, MissingRight } from "./port.ts";

/** The number of parallel requests: the processor's test environment takes 25 per second from an account. */
const AT_A_TIME = 4;

/** The read permissions that the API key of the processor lacks. Fourteen list calls with a limit of one. */
export async function findMissingRights({ stripe }: Account, { budget }: Call): Promise<MissingRight[]> {
  const missing: MissingRight[] = [];
  for (let from = 0; from < RESOURCES.length; from += AT_A_TIME) {
    const some = RESOURCES.slice(from, from + AT_A_TIME);
    const have = await Promise.all(some.map(({ ask }) => mayAsk(callProcessor(budget, (timeout) => ask(stripe, { timeout }), 2))));
    missing.push(...some.filter((_, at) => have[at] === false).map(({ right, without }) => ({ right, without })));
  }
  return missing;
}

async function mayAsk(asked: Promise<unknown>): Promise<boolean> {
  try {
    await asked;
    return true;
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && thrown.cause instanceof Stripe.errors.StripePermissionError) return false;
    throw thrown;
  }
}
