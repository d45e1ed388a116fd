import { readdirSync, readFileSync } from "node:fs";

/** The kernel counts CPU time in these units on Linux. */
const TICKS_PER_SECOND = 100;
const SAMPLE_EVERY = 250;

interface ProcessTimes {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  /** With the pid, it identifies a process uniquely: pids are reused. */
  readonly started: string;
}

/**
 * The CPU time of a process and its descendants, user and system together. It reads `/proc` several times a second,
 * because the time of killed processes is accounted to no parent. Null without `/proc`.
 */
export class CpuMeter {
  readonly #family: Set<number>;
  readonly #ticks = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    this.#family = new Set([pid]);
    this.#timer = setInterval(() => this.#sample(), SAMPLE_EVERY);
  }

  /** Ends the measurement. In seconds. */
  stop(): number | null {
    clearInterval(this.#timer);
    const total = [...this.#ticks.values()].reduce((sum, ticks) => sum + ticks, 0);
    return total === 0 ? null : total / TICKS_PER_SECOND;
  }

  #sample(): void {
    const all = readProcesses();
    // A child can precede its parent in the list, so it takes several passes.
    for (let before = -1; before !== this.#family.size; ) {
      before = this.#family.size;
      for (const { pid, parent } of all) if (this.#family.has(parent)) this.#family.add(pid);
    }
    for (const { pid, started, ticks } of all) if (this.#family.has(pid)) this.#ticks.set(`${pid} ${started}`, ticks);
  }
}

function readProcesses(): ProcessTimes[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []));
  } catch {
    return [];
  }
}

/** One process; none if it has just ended. */
function readProcess(pid: number): ProcessTimes[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may contain anything. Behind it: state, parent, …, user ticks (12th), system ticks, …, start.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [{ pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]), started: fields[19] ?? "" }];
  } catch {
    return [];
  }
}
