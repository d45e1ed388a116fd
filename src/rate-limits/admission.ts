import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
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
  readonly PROCESSOR_TEST_ACCOUNT?: RateLimit;
  readonly PROCESSOR_TEST_SHARE?: RateLimit;
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
    processor: {
      live: { account: counterOf(bindings.PROCESSOR_ACCOUNT, times), partner: counterOf(bindings.PROCESSOR_SHARE, times) },
      test: { account: counterOf(bindings.PROCESSOR_TEST_ACCOUNT, times), partner: counterOf(bindings.PROCESSOR_TEST_SHARE, times) },
    },
  };
}

const NAMES = { creation: "creations", read: "queries" } as const;

/**
 * What a request draws on. A budget belongs to one partner, one permission and one environment, so that what a key may not do, and what
 * happens in test, uses up nothing of the rest.
 */
export interface Budget {
  readonly partnerId: string;
  readonly kind: RequestKind;
  /** The permission that the request needs; `denied` for a caller that does not have it, another word where none is needed. */
  readonly permission: string;
  /** `any` where the request says none, or is about both. */
  readonly environment: Environment | "any";
}

/**
 * Counts a partner's request. `weight`: as how many requests it counts.
 * @throws ServiceFailure `rate_limited` if it is one too many for this minute.
 */
export async function admitRequest({ partners }: RateLimits, budget: Budget, weight = 1): Promise<void> {
  const { partnerId, kind, permission, environment } = budget;
  const counts = Array.from({ length: weight }, () => countIn(partners[kind], `${partnerId} ${permission} ${environment}`));
  if ((await Promise.all(counts)).every((isWithin) => isWithin)) return;
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
