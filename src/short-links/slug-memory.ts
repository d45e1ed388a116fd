import { MINUTE, SECOND } from "../core/clock.ts";
import { Memory } from "../core/memory.ts";
import type { ClosedLink } from "./store.ts";
import type { Target } from "./target.ts";

/** How long an isolate remembers a target. A change in KV is visible here after this time. */
const TARGET_FOR = 1 * MINUTE;
/** How long it remembers that a slug is unknown or closed. A link that is open again works after this time. */
const UNKNOWN_FOR = 30 * SECOND;
/** The number of slugs that an isolate remembers, about 300 bytes each. */
const SIZE = 10_000;

/** The isolate's cache of slugs, so that a frequently used link costs no read. */
export class SlugMemory {
  readonly #targets = new Memory<Target>(TARGET_FOR, SIZE);
  readonly #closed = new Memory<ClosedLink>(UNKNOWN_FOR, SIZE);
  readonly #unknown = new Memory<true>(UNKNOWN_FOR, SIZE);

  /** The target of a slug at the time `now` (Unix milliseconds); undefined if it is not cached. */
  get(slug: string, now: number): Target | undefined {
    return this.#targets.get(slug, now);
  }

  remember(slug: string, target: Target, now: number): void {
    this.#targets.remember(slug, target, now);
  }

  /** A link that was recently closed by its limits. */
  getClosed(slug: string, now: number): ClosedLink | undefined {
    return this.#closed.get(slug, now);
  }

  rememberClosed(slug: string, link: ClosedLink, now: number): void {
    this.#targets.forget(slug);
    this.#closed.remember(slug, link, now);
  }

  /** Whether the slug was recently unknown. */
  isUnknown(slug: string, now: number): boolean {
    return this.#unknown.get(slug, now) === true;
  }

  rememberUnknown(slug: string, now: number): void {
    this.#unknown.remember(slug, true, now);
  }

  forget(slug: string): void {
    this.#targets.forget(slug);
    this.#closed.forget(slug);
    this.#unknown.forget(slug);
  }
}
