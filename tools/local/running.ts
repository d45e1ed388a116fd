import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { killGroup, membersOf, type Process, processes } from "./process-table.ts";
import { UserFault } from "./processes.ts";

const namedSchema = z.object({ pid: z.int(), began: z.string() });
const runningSchema = z.object({ owner: namedSchema, edge: namedSchema.nullable() });
type Named = z.infer<typeof namedSchema>;

/**
 * The processes of a state directory, recorded in it, so that the next start finds those of a killed stack, and two
 * stacks never write to one state.
 */
export class Running {
  readonly #file: string;

  constructor(stateDir: string) {
    this.#file = join(stateDir, "running.json");
  }

  /** Ends the edge of a killed stack on this state directory. */
  async endOrphans(): Promise<void> {
    const running = this.#read();
    if (running === null || find(running.owner) !== undefined) return;
    // The group belongs to the edge as long as its first process lives, or others that it started.
    const { edge } = running;
    if (edge !== null && isStillOurs(edge)) await killGroup(edge.pid);
    this.clear();
  }

  /** @throws UserFault if a stack runs on this state directory */
  refuseSecond(): void {
    const running = this.#read();
    if (running === null || find(running.owner) === undefined) return;
    throw new UserFault(
      `Another stack (process ${running.owner.pid}) uses this state directory. End it, or choose another with STATE_DIR=…`,
    );
  }

  /** Whether the stack that runs on this state directory lives, also while it starts again; null if none runs. */
  owner(): (() => boolean) | null {
    const owner = this.#read()?.owner;
    return owner !== undefined && find(owner) !== undefined ? () => find(owner) !== undefined : null;
  }

  /** Records this process as the owner, and the process group of its edge. */
  note(edge: number | null): void {
    const own = named(process.pid);
    if (own === null) return;
    writeFileSync(this.#file, `${JSON.stringify({ owner: own, edge: edge === null ? null : named(edge) })}\n`);
  }

  clear(): void {
    rmSync(this.#file, { force: true });
  }

  #read(): z.infer<typeof runningSchema> | null {
    try {
      return runningSchema.parse(JSON.parse(readFileSync(this.#file, "utf8")));
    } catch {
      return null; // Nothing was written, or not to its end.
    }
  }
}

function named(pid: number): Named | null {
  const found = processes().find((one) => one.pid === pid);
  return found === undefined ? null : { pid, began: found.began };
}

function find({ pid, began }: Named): Process | undefined {
  return processes().find((one) => one.pid === pid && one.began === began);
}

/** Whether the process group is still the same: another process with this pid would have started another group. */
function isStillOurs(edge: Named): boolean {
  const isNumberUsedAgain = processes().some((one) => one.pid === edge.pid && one.began !== edge.began);
  return !isNumberUsedAgain && membersOf(edge.pid).length > 0;
}
