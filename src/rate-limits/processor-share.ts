import type { Environment } from "../core/environment.ts";
import { type Counter, countIn } from "./counter.ts";

/**
 * The use of the processor's own limit in one environment by partners' requests: of the account, and of each partner's
 * share.
 */
interface Share {
  readonly account: Counter;
  readonly partner: Counter;
}

/** The processor counts its two environments separately, and allows less in its test environment. */
export type ProcessorShares = Readonly<Record<Environment, Share>>;

/**
 * Counts a call for a partner. While the account has capacity, every partner may call. Without capacity, only partners
 * within their share may; the others wait, so that one partner's burst delays only that partner.
 */
export async function mayCallFor(shares: ProcessorShares, partnerId: string, environment: Environment): Promise<boolean> {
  const { account, partner } = shares[environment];
  const [hasShare, hasRoom] = [await countIn(partner, partnerId), await countIn(account, "account")];
  return hasShare || hasRoom;
}
