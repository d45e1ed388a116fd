import { type Counter, countIn } from "./counter.ts";

/** How much of the processor's own limit is used by partners' requests: of the account, and of each partner's share. */
export interface ProcessorShares {
  readonly account: Counter;
  readonly partner: Counter;
}

/**
 * Counts a call for a partner. While the account has room, everybody may call. Once it has none, a partner may that has not
 * used up its share; the others wait, so that one partner's burst is its own.
 */
export async function mayCallFor({ account, partner }: ProcessorShares, partnerId: string): Promise<boolean> {
  const [hasShare, hasRoom] = [await countIn(partner, partnerId), await countIn(account, "account")];
  return hasShare || hasRoom;
}
