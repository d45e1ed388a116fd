import { readdirSync, readFileSync } from "node:fs";

const TICKS_PER_SECOND = 100;

/** CPU seconds used so far by the Workers runtime that this process started; null if /proc does not provide them. */
export function runtimeCpuSeconds(): number | null {
  try {
    const children = descendants(process.pid);
    const runtimes = children.filter((pid) => readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("workerd"));
    return runtimes.length === 0 ? null : runtimes.reduce((sum, pid) => sum + cpuOf(pid), 0);
  } catch {
    return null;
  }
}

function descendants(of: number): number[] {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = processes.flatMap((pid) => {
    try {
      return [{ pid: Number(pid), parent: Number(fieldsOf(pid)[1]) }];
    } catch {
      // The process has ended since it was listed.
      return [];
    }
  });
  const children = parents.filter(({ parent }) => parent === of).map(({ pid }) => pid);
  return children.flatMap((pid) => [pid, ...descendants(pid)]);
}

/** The fields of /proc/<pid>/stat from the third on: the second, in brackets, may hold blanks. */
function fieldsOf(pid: number | string): string[] {
  return readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
}

function cpuOf(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
