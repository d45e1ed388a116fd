import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

/** A process of this machine. */
export interface Process {
  readonly pid: number;
  /** The process that started it, or the one that took it over when that ended. */
  readonly parent: number;
  /** Its process group. */
  readonly group: number;
  /** The name of its program, without a folder. */
  readonly program: string;
  /** When it began, as the system says it: with the pid it names one process, although pids are used again. */
  readonly began: string;
}

/** All living processes that may be looked at. */
export function processes(): Process[] {
  return process.platform === "linux" ? fromProc() : fromPs();
}

/** The processes of a group that live. */
export function membersOf(group: number): Process[] {
  return processes().filter((one) => one.group === group);
}

/** How often it is looked whether a group is gone. In milliseconds. */
const CHECK_EVERY = 50;

/** Kills a group, and waits until the last of its processes is gone: until then its ports are taken. */
export async function killGroup(group: number): Promise<void> {
  while (membersOf(group).length > 0) {
    try {
      process.kill(-group, "SIGKILL");
    } catch {
      return; // The last one ended by itself.
    }
    await new Promise((again) => setTimeout(again, CHECK_EVERY));
  }
}

/**
 * Ends all that a process has started, and what those have started, in whatever group: by SIGTERM, and after `grace`
 * milliseconds by SIGKILL. Resolves when the last of them is gone.
 */
export async function endDescendants(ancestor: number, grace: number): Promise<void> {
  /** When each of them began, by its pid. A parent that ends first leaves its children in this list. */
  const known = new Map<number, string>();
  const killAt = Date.now() + grace;
  for (;;) {
    const living = descendantsOf(ancestor, known);
    if (living.length === 0) return;
    for (const { pid, isNew } of living) {
      if (isNew) signal(pid, "SIGTERM");
      if (Date.now() >= killAt) signal(pid, "SIGKILL");
    }
    await new Promise((again) => setTimeout(again, CHECK_EVERY));
  }
}

/** The living processes that a process has started, directly or not. Adds them to the known ones. */
function descendantsOf(ancestor: number, known: Map<number, string>): (Process & { readonly isNew: boolean })[] {
  const all = processes();
  const isKnown = ({ pid, began }: Process) => known.get(pid) === began;
  const found: (Process & { readonly isNew: boolean })[] = all.filter(isKnown).map((one) => ({ ...one, isNew: false }));
  const belongs = ({ pid, parent, group }: Process) => pid !== ancestor && (parent === ancestor || known.has(parent) || known.has(group));
  for (let more = all.filter((one) => !isKnown(one) && belongs(one)); more.length > 0; ) {
    for (const one of more) {
      known.set(one.pid, one.began);
      found.push({ ...one, isNew: true });
    }
    more = all.filter((one) => !isKnown(one) && belongs(one));
  }
  return found;
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in the meantime.
  }
}

/** /proc/<pid>/stat (proc(5)): the name in brackets, then the state, the parent, the group; the 22nd is when it began. */
function fromProc(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const nameEnds = stat.lastIndexOf(")");
        const [state = "", parent = "", group = "", ...rest] = stat.slice(nameEnds + 2).split(" ");
        // A zombie has ended; only its parent has not noticed yet.
        if (state === "Z") return [];
        const program = stat.slice(stat.indexOf("(") + 1, nameEnds);
        return [{ pid: Number(name), parent: Number(parent), group: Number(group), program, began: rest[16] ?? "" }];
      } catch {
        return []; // It ended in the meantime.
      }
    });
}

function fromPs(): Process[] {
  const table = execFileSync("ps", ["-axo", "pid=,ppid=,pgid=,state=,lstart=,comm="], { encoding: "utf8" });
  return table.split("\n").flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+ \w+ +\d+ [\d:]+ \d+)\s+(.*)$/.exec(line);
    if (found === null || found[4]?.startsWith("Z") === true) return [];
    const [, pid = "", parent = "", group = "", , began = "", command = ""] = found;
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), program: command.split("/").at(-1) ?? "", began }];
  });
}
