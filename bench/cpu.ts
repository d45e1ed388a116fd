import { readdirSync, readFileSync } from "node:fs";

/**
 * CPU seconds used so far by the threads of the Workers runtime that this process started, to the microsecond; null if
 * /proc does not provide them.
 */
export function runtimeCpuSeconds(): number | null {
  return sumOfRuntimes(cpuOf);
}

/** Megabytes of this process's Workers runtime; null if /proc does not report them. */
export function runtimeMemory(): number | null {
  const kilobytes = sumOfRuntimes((pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]));
  return kilobytes === null ? null : Math.round(kilobytes / 1024);
}

function sumOfRuntimes(of: (pid: number) => number): number | null {
  try {
    const runtimes = descendants(process.pid).filter((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("workerd"));
    return runtimes.length === 0 ? null : runtimes.reduce((sum, pid) => sum + of(pid), 0);
  } catch {
    return null;
  }
}

function descendants(of: number): number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = processes.flatMap((pid) => {
    try {
      return [{ pid: Number(pid), parent: parentOf(pid) }];
    } catch {
      // The process has ended since it was listed.
      return [];
    }
  });
  const children = parents.filter(({ parent }) => parent === of).map(({ pid }) => pid);
  return children.flatMap((pid) => [pid, ...descendants(pid)]);
}

/** The fourth field of /proc/<pid>/stat; the second, in brackets, may hold blanks. */
function parentOf(pid: string): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /s, "");
  return Number(stat.split(" ")[1]);
}

const NANOSECONDS = 1_000_000_000;

/** The first number of a thread's schedstat: nanoseconds on a processor. */
function cpuOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]));
  return times.reduce((sum, time) => sum + time, 0) / NANOSECONDS;
}
