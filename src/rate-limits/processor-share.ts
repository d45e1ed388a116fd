import type { Environment } from "../core/environment.ts";
import { type Counter, countIn } from "./counter.ts";

/** How much of the processor's own limit of one environment is used by partners' requests: of the account, and of each partner's share. */
interface Share {
  readonly account: Counter;
  readonly partner: Counter;
}

/** The processor counts its two environments apart, and allows less in its test environment. */
export type ProcessorShares = Readonly<Record<Environment, Share>>;

/**
 * Counts a call for a partner. While the account has room, everybody may call. Once it has none, a partner may that has not
 * used up its share; the others wait, so that one partner's burst is its own.
 */
export async function mayCallFor(shares: ProcessorShares, partnerId: string, environment: Environment): Promise<boolean> {
  const { account, partner } = shares[environment];
  const [hasShare, hasRoom] = [await countIn(partner, partnerId), await countIn(account, "account")];
  return hasShare || hasRoom;
}
