import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

/** wrangler runs a build through a shell and npm. */
const MAX_ANCESTORS = 8;

/** The options of `wrangler dev` that determine its port and state. */
export interface DevArguments {
  /** Null if the command does not set it. */
  readonly port: number | null;
  readonly stateDir: string | null;
}

/** The options of the `wrangler dev` that started this process, directly or not. Nulls if there is none. */
export function devArgumentsAbove(): DevArguments {
  let pid = process.ppid;
  for (let ancestor = 1; ancestor <= MAX_ANCESTORS && pid > 1; ancestor += 1) {
    const { parent, args } = commandOf(pid);
    const found = readDevArguments(args);
    if (found !== null) return found;
    pid = parent;
  }
  return { port: null, stateDir: null };
}

/** The options of a command line; null if it is not `wrangler dev`. */
export function readDevArguments(args: readonly string[]): DevArguments | null {
  const tool = args.findIndex((arg) => /^wrangler(\.js)?$/.test(basename(arg)));
  const rest = args.slice(tool + 1);
  if (tool === -1 || !rest.includes("dev")) return null;
  const { values } = parseArgs({
    args: [...rest],
    options: { port: { type: "string" }, "persist-to": { type: "string" } },
    strict: false,
    allowPositionals: true,
  });
  const port = Number(values.port);
  const persistTo = values["persist-to"];
  return { port: Number.isInteger(port) && port > 0 ? port : null, stateDir: typeof persistTo === "string" ? persistTo : null };
}

/** The parent and the command line of a process. The command line is empty if unreadable. */
function commandOf(pid: number): { readonly parent: number; readonly args: readonly string[] } {
  try {
    if (process.platform === "linux") {
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      const [, parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      return { parent: Number(parent), args: readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0") };
    }
    const [parent = "0", ...args] = execFileSync("ps", ["-o", "ppid=,args=", "-p", String(pid)], { encoding: "utf8" })
      .trim()
      .split(/\s+/);
    return { parent: Number(parent), args };
  } catch {
    return { parent: 0, args: [] };
  }
}
