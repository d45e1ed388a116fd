import { MINUTE, SECOND } from "../../core/clock.ts";
import { Memory } from "../../core/memory.ts";

/** A receiver that takes longer to answer is slow. In milliseconds. */
export const SLOW_AFTER = SECOND / 2;
const REMEMBERED_FOR = 1 * MINUTE;
const SIZE = 10_000;

/**
 * The endpoints whose receivers were slow at the last delivery from this isolate, for a minute. A batch of messages
 * does not wait for them. It only affects the batch: the delivery itself continues.
 */
export class SlowReceivers {
  readonly #slow = new Memory<true>(REMEMBERED_FOR, SIZE);

  has(endpointId: string, now: number): boolean {
    return this.#slow.get(endpointId, now) === true;
  }

  note(endpointId: string, now: number): void {
    this.#slow.remember(endpointId, true, now);
  }

  /** The receiver has answered in time. */
  forget(endpointId: string): void {
    this.#slow.forget(endpointId);
  }
}
