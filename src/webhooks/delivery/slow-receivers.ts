import { MINUTE, SECOND } from "../../core/clock.ts";
import { Memory } from "../../core/memory.ts";

/** A receiver that takes longer to answer is slow. In milliseconds. */
export const SLOW_AFTER = SECOND / 2;

/**
 * The endpoints whose receivers were slow at the last delivery from this isolate, for a minute. A batch of messages
 * does not wait for them. It only affects the batch: the delivery itself continues.
 */
export const newSlowReceivers = () => new Memory<true>(1 * MINUTE, 10_000);
