import { DurableObject } from "cloudflare:workers";
import type { CellCode } from "../core/cell-code.ts";
import { MINUTE } from "../core/clock.ts";
import { depsOf } from "../deps.ts";
import type { Bindings } from "../env.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { sweepCell } from "./sweeps.ts";

/** A run that takes longer hangs, for example because its cell was out of reach. */
const LONGEST_RUN = 5 * MINUTE;

/**
 * One object per cell, beside the cell. It runs the cell's sweeps as an invocation of its own: so a cell that is slow or out
 * of reach uses up nobody else's time, and the number of cells no limit of the cron's invocation.
 */
export class CellSweeper extends DurableObject<Bindings> {
  #runs: OneAtATime | null = null;

  /** Runs the sweeps of the cell, which is always the same for one object, to their end. */
  sweep(cell: CellCode): Promise<void> {
    this.#runs ??= new OneAtATime(() => sweepCell(depsOf(this.env).inCell(cell)), LONGEST_RUN);
    return this.#runs.ask();
  }
}
