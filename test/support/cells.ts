import { env } from "cloudflare:workers";
import { cellCodeOf, newIdCode } from "../../src/core/cell-code.ts";
import type { MessageQueue } from "../../src/core/message-queue.ts";
import { buildDeps, type CellDeps } from "../../src/deps.ts";

/** The cell of the fixtures' partners. */
export const CELL = cellCodeOf(1);

/** What their ids begin with. */
export const ID_CODE = newIdCode(CELL);

/** The dependencies with the data of that cell. */
export const cellDeps = (): CellDeps => buildDeps(env).inCell(CELL);

/** The same, with another queue for the processor's events: wherever they are stored, it gets the messages. */
export function withEventQueue(processorEventQueue: MessageQueue): CellDeps {
  const deps = cellDeps();
  return { ...deps, processorEventQueue, inPlace: (place) => ({ ...deps.inPlace(place), processorEventQueue }) };
}

/** A queue that loses every message. */
export const losingQueue: MessageQueue = { send: () => Promise.resolve() };
