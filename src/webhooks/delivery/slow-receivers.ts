import { MINUTE, SECOND } from "../../core/clock.ts";

/** A receiver that takes longer to answer is slow. In milliseconds. */
export const SLOW_AFTER = SECOND / 2;
const REMEMBERED_FOR = 1 * MINUTE;
const MAX_REMEMBERED = 10_000;

/**
 * The endpoints whose receivers were slow when this isolate last sent them something, for a minute. A batch of messages does
 * not wait for them. It is a guess that decides nothing else: a delivery goes on, whether its batch waits for it or not.
 */
export class SlowReceivers {
  readonly #until = new Map<string, number>();

  has(endpointId: string, now: number): boolean {
    return now < (this.#until.get(endpointId) ?? 0);
  }

  note(endpointId: string, now: number): void {
    if (this.#until.size >= MAX_REMEMBERED && !this.#until.has(endpointId)) this.#until.clear();
    this.#until.set(endpointId, now + REMEMBERED_FOR);
  }

  /** It has answered in time. */
  forget(endpointId: string): void {
    this.#until.delete(endpointId);
  }
}
