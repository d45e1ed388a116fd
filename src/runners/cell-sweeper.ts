import { DurableObject } from "cloudflare:workers";
import type { CellCode } from "../core/cell-code.ts";
import { MINUTE } from "../core/clock.ts";
import type { Bindings } from "../env.ts";
import { isolateOf } from "../isolate.ts";
import { OneAtATime } from "./one-at-a-time.ts";

/** A longer run hangs, for example because its cell is unreachable. */
const LONGEST_RUN = 5 * MINUTE;

/**
 * One Durable Object per cell, near the cell. It runs the cell's sweeps in its own invocation, so a slow or unreachable
 * cell does not use up the others' time, and the number of cells is not limited by the cron's invocation.
 */
export class CellSweeper extends DurableObject<Bindings> {
  #runs: OneAtATime | null = null;

  /** Runs the sweeps of the cell, which is always the same for one object, to their end. */
  sweep(cell: CellCode): Promise<void> {
    this.#runs ??= new OneAtATime(async () => {
      const { sweepCell } = await import("./sweeps.ts");
      await sweepCell(isolateOf(this.env).deps.inCell(cell));
    }, LONGEST_RUN);
    return this.#runs.ask();
  }
}
