import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createConnection } from "node:net";
import { isAbsolute, join } from "node:path";
import { killGroup } from "./process-table.ts";

export const root = join(import.meta.dirname, "..", "..");

/** Disables telemetry and other network calls that the tools make at every start. */
export const OFFLINE = { WRANGLER_SEND_METRICS: "false", WRANGLER_SEND_ERROR_REPORTS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" };

/** Where the slow checkers are, which are installed apart from the rest. */
const CHECKERS = join("tools", "checkers");
const CHECKER_TOOLS: readonly string[] = ["conformance", "cspell", "knip", "mcp-inspector", "mcp-remote", "stryker"];

/** The path of an installed tool. It runs with the Node of this process, not with the system's Node. */
export function tool(name: string): string {
  return join(root, CHECKER_TOOLS.includes(name) ? CHECKERS : "", "node_modules", ".bin", name);
}

/** How to get a tool that is not installed; null if it is. */
export function missingTool(name: string): string | null {
  if (existsSync(tool(name))) return null;
  return `${name} is not installed. Get it by: ${CHECKER_TOOLS.includes(name) ? `npm ci --prefix ${CHECKERS}` : "npm ci"}`;
}

/** An error that the user can fix. Only its message is printed. */
export class UserFault extends Error {
  override readonly name = "UserFault";
}

export interface ToolOptions {
  readonly quiet?: boolean;
  readonly env?: NodeJS.ProcessEnv;
  /** After so many milliseconds the tool is ended, and has failed. */
  readonly atMost?: number;
  /** Ends the tool. What it printed is not shown then. */
  readonly signal?: AbortSignal;
}

/** The time that an aborted tool has to end before it is killed, in milliseconds. */
const STOP_WITHIN = 1_000;

/** Runs a tool to completion and returns its exit code; with `quiet`, its output is printed only on failure. */
export async function runTool(name: string, args: readonly string[], options: ToolOptions = {}): Promise<number> {
  const { code, output } = await captureTool(name, args, options);
  if (code !== 0 && options.signal?.aborted !== true) process.stderr.write(output);
  return code;
}

/** Runs a tool to completion and returns its exit code and, with `quiet`, its captured output. */
export function captureTool(name: string, args: readonly string[], options: ToolOptions) {
  const child = spawnTool(name, args, options.quiet === true ? "pipe" : "inherit", options.env);
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data: Buffer) => output.push(data.toString()));
  const endNow = () => void endGroup(child, STOP_WITHIN);
  const end = options.atMost === undefined ? undefined : setTimeout(endNow, options.atMost);
  if (options.signal?.aborted === true) endNow();
  options.signal?.addEventListener("abort", endNow, { once: true });
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    child.once("error", (thrown) => {
      clearTimeout(end);
      reject(thrown);
    });
    child.once("close", (code) => {
      clearTimeout(end);
      options.signal?.removeEventListener("abort", endNow);
      resolve({ code: code ?? 1, output: output.join("") });
    });
  });
}

/**
 * Starts a tool, or our own program by its absolute path, in a new process group, so that the whole group can be ended
 * together. @throws UserFault if it is not installed
 */
export function spawnTool(name: string, args: readonly string[], stdio: "pipe" | "inherit", env: NodeJS.ProcessEnv = {}): ChildProcess {
  const missing = isAbsolute(name) ? null : missingTool(name);
  if (missing !== null) throw new UserFault(missing);
  return spawn(process.execPath, [isAbsolute(name) ? name : tool(name), ...args], {
    cwd: root,
    stdio: ["ignore", stdio, stdio],
    detached: process.platform !== "win32",
    // What was compiled once is kept: a start of wrangler then takes a quarter less.
    env: { NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "node"), ...process.env, ...OFFLINE, ...env },
  });
}

/** Ends a process group: sends SIGTERM and, after a grace period in milliseconds, SIGKILL. */
export async function endGroup(child: ChildProcess, gracePeriod = 5_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return signalGroup(child, "SIGKILL");
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  signalGroup(child, "SIGTERM");
  const timer = setTimeout(() => signalGroup(child, "SIGKILL"), gracePeriod);
  await ended;
  clearTimeout(timer);
  if (child.pid !== undefined) await killGroup(child.pid);
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(process.platform === "win32" ? child.pid : -child.pid, signal);
  } catch {
    // The process group is empty.
  }
}

/** Whether something listens on a port of this machine. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ port, host: "localhost" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
