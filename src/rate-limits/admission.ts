import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import { ServiceFailure } from "../core/errors.ts";
import { type Counter, counterOf, countIn } from "./counter.ts";
import type { ProcessorShares } from "./processor-share.ts";
import { createRefusalLimit, type RefusalLimit } from "./refusals.ts";

/** What a request does: operations that create or change something, and those that only look. */
export type RequestKind = "creation" | "read";

/** The platform's counters. Each may be left out of wrangler.toml: then it limits nothing. */
export interface RateLimitBindings {
  /** By partner. */
  readonly CREATIONS?: RateLimit;
  readonly READS?: RateLimit;
  /** By address. */
  readonly REFUSED_KEYS?: RateLimit;
  readonly UNKNOWN_SLUGS?: RateLimit;
  readonly OPERATOR_LOGINS?: RateLimit;
  readonly SIGN_INS?: RateLimit;
  /** Of the processor's own limit. */
  readonly PROCESSOR_ACCOUNT?: RateLimit;
  readonly PROCESSOR_SHARE?: RateLimit;
}

/** The limits of an isolate. */
export interface RateLimits {
  readonly partners: Readonly<Record<RequestKind, Counter>>;
  readonly refusedKeys: RefusalLimit;
  readonly unknownSlugs: RefusalLimit;
  readonly operatorLogins: RefusalLimit;
  /** Signing in of agents: registrations of their hosts, and first pages. */
  readonly signIns: RefusalLimit;
  readonly processor: ProcessorShares;
}

/** @param times so many times the limits of the bindings. */
export function createRateLimits(bindings: RateLimitBindings, clock: Clock, times: number): RateLimits {
  const refusals = (binding: RateLimit | undefined) => createRefusalLimit(binding, times, clock);
  return {
    partners: { creation: counterOf(bindings.CREATIONS, times), read: counterOf(bindings.READS, times) },
    refusedKeys: refusals(bindings.REFUSED_KEYS),
    unknownSlugs: refusals(bindings.UNKNOWN_SLUGS),
    operatorLogins: refusals(bindings.OPERATOR_LOGINS),
    signIns: refusals(bindings.SIGN_INS),
    processor: { account: counterOf(bindings.PROCESSOR_ACCOUNT, times), partner: counterOf(bindings.PROCESSOR_SHARE, times) },
  };
}

const NAMES = { creation: "creations", read: "queries" } as const;

/** Counts a partner's request. @throws ServiceFailure `rate_limited` if it is one too many for this minute. */
export async function admit({ partners }: RateLimits, partnerId: string, kind: RequestKind): Promise<void> {
  if (await countIn(partners[kind], partnerId)) return;
  throw tooMany(`Too many ${NAMES[kind]} in this minute. Nothing was done. Try again in a minute.`, MINUTE / SECOND);
}

/** Waits for the turn of an address whose keys were refused too often. @throws ServiceFailure `rate_limited` if too many wait. */
export async function checkAddress({ refusedKeys }: RateLimits, address: string): Promise<void> {
  const wait = await refusedKeys.turn(address);
  if (wait > 0) throw tooMany(`Too many refused API keys from this address. Try again in ${wait} seconds.`, wait);
}

function tooMany(message: string, retryAfter: number): ServiceFailure {
  return new ServiceFailure({ kind: "rate_limited", message, retryAfter });
}
