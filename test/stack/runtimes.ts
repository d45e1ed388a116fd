import { spawnSync } from "node:child_process";

/** Whether a runtime is on this machine: the command that prints its version ends well. */
export function hasRuntime([command = "", ...args]: readonly string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore", env: { ...process.env, GOTOOLCHAIN: "local" } }).status === 0;
}
