import { type Bound, lazyCalls } from "../core/lazy.ts";
import type { Account, AccountPlace } from "./account.ts";
import type { calls } from "./client-calls.ts";

/** The domain's port to the card processor: its calls, on the account of one environment. No other module knows the processor's types. */
export type Processor = Bound<Account, typeof calls>;

/** Opens the port. The official client is large, so it is loaded with the first call. */
export function createProcessor(place: AccountPlace): Processor {
  return lazyCalls(async () => {
    const [account, { calls: all }] = await Promise.all([import("./account.ts"), import("./client-calls.ts")]);
    return [account.openAccount(place), all];
  });
}
