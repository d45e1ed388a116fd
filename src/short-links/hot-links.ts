import { MINUTE, SECOND } from "../core/clock.ts";
import type { Target } from "./target.ts";

/** How long an isolate remembers a target: what is changed in KV is seen here after this time. */
const REMEMBERED_FOR = 1 * MINUTE;
/** How long it remembers that there is none: a link that is enabled again works after this time. */
const UNKNOWN_FOR = 30 * SECOND;
/** Links that an isolate remembers. Each takes some 300 bytes. */
const MAX_REMEMBERED = 10_000;

/** The targets that an isolate has found lately. A link that many customers follow then costs no read. */
export class HotLinks {
  readonly #unknownUntil = new Map<string, number>();
  readonly #targets = new Map<string, { readonly target: Target; readonly until: number }>();

  /** The target of a slug at the time `now` (Unix milliseconds); undefined if it is not remembered. */
  get(slug: string, now: number): Target | undefined {
    const known = this.#targets.get(slug);
    return known !== undefined && now < known.until ? known.target : undefined;
  }

  remember(slug: string, target: Target, now: number): void {
    // The map keeps the order in which it was filled, so the first entry is the oldest one.
    this.#targets.delete(slug);
    const [oldest] = this.#targets.size < MAX_REMEMBERED ? [] : this.#targets.keys();
    if (oldest !== undefined) this.#targets.delete(oldest);
    this.#targets.set(slug, { target, until: now + REMEMBERED_FOR });
  }

  /** Whether a slug was unknown just now. */
  isUnknown(slug: string, now: number): boolean {
    return now < (this.#unknownUntil.get(slug) ?? 0);
  }

  rememberUnknown(slug: string, now: number): void {
    if (this.#unknownUntil.size >= MAX_REMEMBERED) this.#unknownUntil.clear();
    this.#unknownUntil.set(slug, now + UNKNOWN_FOR);
  }

  forget(slug: string): void {
    this.#targets.delete(slug);
    this.#unknownUntil.delete(slug);
  }
}
