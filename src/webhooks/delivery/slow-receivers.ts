import { MINUTE, SECOND } from "../../core/clock.ts";
import { Memory } from "../../core/memory.ts";

/** A receiver that takes longer to answer is slow. In milliseconds. */
export const SLOW_AFTER = SECOND / 2;
const REMEMBERED_FOR = 1 * MINUTE;
const SIZE = 10_000;

/**
 * The endpoints whose receivers were slow when this isolate last sent them something, for a minute. A batch of messages does
 * not wait for them. It is a guess that decides nothing else: a delivery goes on, whether its batch waits for it or not.
 */
export class SlowReceivers {
  readonly #slow = new Memory<true>(REMEMBERED_FOR, SIZE);

  has(endpointId: string, now: number): boolean {
    return this.#slow.get(endpointId, now) === true;
  }

  note(endpointId: string, now: number): void {
    this.#slow.remember(endpointId, true, now);
  }

  /** It has answered in time. */
  forget(endpointId: string): void {
    this.#slow.forget(endpointId);
  }
}
