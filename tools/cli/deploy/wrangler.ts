import { stripVTControlCharacters } from "node:util";
import { spawnTool, UserFault } from "../../local/processes.ts";

/** The output of a wrangler run. */
export interface Said {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs wrangler without a prompt, and returns its output. `args` never contain secrets: other users can see them. */
export function runWrangler(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Said> {
  const child = spawnTool("wrangler", args, "pipe", { ...env, CI: "1", NO_COLOR: "1", FORCE_COLOR: "0", WRANGLER_LOG_SANITIZE: "true" });
  const [out, error]: [string[], string[]] = [[], []];
  child.stdout?.on("data", (data: Buffer) => out.push(data.toString()));
  child.stderr?.on("data", (data: Buffer) => error.push(data.toString()));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code: code ?? 1, out: textOf(out), error: textOf(error) }));
  });
}

function textOf(parts: readonly string[]): string {
  return stripVTControlCharacters(parts.join(""));
}

/** Runs wrangler and returns its output. @throws UserFault with its message if it fails */
export async function wrangler(what: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> {
  const said = await runWrangler(args, env);
  if (said.code !== 0) throw new UserFault(`${what} failed: ${complaintOf(said)}`);
  return said.out;
}

/** wrangler's error message in one line, without the paths of its logs. */
export function complaintOf({ out, error }: Said): string {
  const text = `${error}\n${out}`;
  const found = /\[ERROR\]\s*([\s\S]*?)(?:If you think this is a bug|\S*\s+Logs were written|$)/.exec(text)?.[1] ?? text;
  return found.replaceAll(/\s+/g, " ").trim().slice(0, 500) || "it gave no reason";
}

/** JSON in an output that may start with other lines. @throws UserFault */
export function jsonIn(what: string, output: string): unknown {
  const start = output.search(/^[[{]/m);
  try {
    return JSON.parse(output.slice(start)) as unknown;
  } catch {
    throw new UserFault(`${what} was answered with something that is no JSON.`);
  }
}
