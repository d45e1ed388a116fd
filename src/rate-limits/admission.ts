import { type Clock, MINUTE, SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { ServiceFailure } from "../core/errors.ts";
import { type Counter, counterOf, countIn } from "./counter.ts";
import { createRefusalLimit, type RefusalLimit } from "./refusals.ts";

/**
 * The use of the processor's own limit in one environment by partners' requests: of the account, and of each partner's
 * share.
 */
interface Share {
  readonly account: Counter;
  readonly partner: Counter;
}

/** The processor counts its two environments separately, and allows less in its test environment. */
type ProcessorShares = Readonly<Record<Environment, Share>>;

/**
 * Counts a call for a partner. While the account has capacity, every partner may call. Without capacity, only partners
 * within their share may; the others wait, so that one partner's burst delays only that partner.
 */
export async function mayCallFor(shares: ProcessorShares, partnerId: string, environment: Environment): Promise<boolean> {
  const { account, partner } = shares[environment];
  const [hasShare, hasRoom] = [await countIn(partner, partnerId), await countIn(account, "account")];
  return hasShare || hasRoom;
}

/** The kind of a request: an operation that creates or changes something, or a read. */
export type RequestKind = "creation" | "read";

/** The platform's rate-limit bindings. One that is missing in wrangler.toml limits nothing. */
export interface RateLimitBindings {
  /** By partner. */
  readonly CREATIONS?: RateLimit;
  readonly READS?: RateLimit;
  /** By address. */
  readonly REFUSED_KEYS?: RateLimit;
  readonly OPERATOR_LOGINS?: RateLimit;
  readonly SIGN_INS?: RateLimit;
  /** The processor's own limit. */
  readonly PROCESSOR_ACCOUNT?: RateLimit;
  readonly PROCESSOR_SHARE?: RateLimit;
  readonly PROCESSOR_TEST_ACCOUNT?: RateLimit;
  readonly PROCESSOR_TEST_SHARE?: RateLimit;
}

/** The limits of an isolate. */
export interface RateLimits {
  readonly partners: Readonly<Record<RequestKind, Counter>>;
  readonly refusedKeys: RefusalLimit;
  readonly operatorLogins: RefusalLimit;
  /** Sign-in of agents (registrations of their hosts, and first pages) and of partners' people. */
  readonly signIns: RefusalLimit;
  readonly processor: ProcessorShares;
}

/** @param times the factor on the limits of the bindings. */
export function createRateLimits(bindings: RateLimitBindings, clock: Clock, times: number): RateLimits {
  const refusals = (binding: RateLimit | undefined) => createRefusalLimit(binding, times, clock);
  return {
    partners: { creation: counterOf(bindings.CREATIONS, times), read: counterOf(bindings.READS, times) },
    refusedKeys: refusals(bindings.REFUSED_KEYS),
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
 * The rate-limit budget of a request. A budget belongs to one partner, one permission and one environment, so refused
 * requests and test requests do not use up the others.
 */
export interface Budget {
  readonly partnerId: string;
  readonly kind: RequestKind;
  /** The permission that the request needs; `denied` for a caller without it, or another word if none is needed. */
  readonly permission: string;
  /** `any` if the request names none, or concerns both. */
  readonly environment: Environment | "any";
}

/**
 * Counts a partner's request. `weight`: the number of requests that it counts as; 0 for one that is counted already.
 * @throws ServiceFailure `rate_limited` above the limit of this minute.
 */
export async function admitRequest({ partners }: RateLimits, budget: Budget, weight = 1): Promise<void> {
  const { partnerId, kind, permission, environment } = budget;
  const counts = Array.from({ length: weight }, () => countIn(partners[kind], `${partnerId} ${permission} ${environment}`));
  if ((await Promise.all(counts)).every((isWithin) => isWithin)) return;
  throw tooMany(`Too many ${NAMES[kind]} in this minute. Nothing was done. Try again in a minute.`, MINUTE / SECOND);
}

/**
 * Waits for a slot of an address whose keys were refused too often. @throws ServiceFailure `rate_limited` if too many
 * wait.
 */
export async function checkAddress({ refusedKeys }: RateLimits, address: string): Promise<void> {
  const wait = await refusedKeys.waitForSlot(address);
  if (wait > 0) throw tooMany(`Too many refused API keys from this address. Try again in ${wait} seconds.`, wait);
}

/** Waits for a slot of an address whose sign-ins were refused too often. @throws ServiceFailure `rate_limited` */
export async function checkSignIns({ signIns }: RateLimits, address: string): Promise<void> {
  const wait = await signIns.waitForSlot(address);
  if (wait > 0) throw tooMany(`Too many refused sign-ins from this address. Try again in ${wait} seconds.`, wait);
}

function tooMany(message: string, retryAfter: number): ServiceFailure {
  return new ServiceFailure({ kind: "rate_limited", message, retryAfter });
}
