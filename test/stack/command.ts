import { spawn } from "node:child_process";
import { join } from "node:path";
import { vi } from "vitest";
import { root } from "../../tools/local/processes.ts";
import { isFull } from "./scale.ts";

/** What a command said, and how it ended. */
export interface Said {
  readonly code: number | null;
  readonly output: string;
}

/** Undefined takes a setting away. */
export type Settings = Readonly<Record<string, string | undefined>>;

/** The commands that need no process of their own, as `tools/cli/start.mjs` finds them. */
const programs = {
  bench: () => import("../../tools/cli/bench.ts"),
  chaos: () => import("../../tools/cli/chaos.ts"),
  check: () => import("../../tools/cli/check.ts"),
  "check:mcp": () => import("../../tools/cli/check-mcp.ts"),
  demo: () => import("../../tools/cli/demo.ts"),
  deploy: () => import("../../tools/cli/deploy.ts"),
  dev: () => import("../../tools/cli/dev.ts"),
  doctor: () => import("../../tools/cli/doctor.ts"),
  format: () => import("../../tools/cli/format.ts"),
  fuzz: () => import("../../tools/cli/fuzz.ts"),
  migration: () => import("../../tools/cli/migration.ts"),
  mutate: () => import("../../tools/cli/mutate.ts"),
  ops: () => import("../../tools/cli/ops.ts"),
  partner: () => import("../../tools/cli/partner.ts"),
  pictures: () => import("../../tools/cli/pictures.ts"),
  schema: () => import("../../tools/cli/schema.ts"),
  seed: () => import("../../tools/cli/seed.ts"),
  shapes: () => import("../../tools/cli/shapes.ts"),
  smoke: () => import("../../tools/cli/smoke.ts"),
  test: () => import("../../tools/cli/test.ts"),
  "test:full": async () => ({ run: (await import("../../tools/cli/test.ts")).runFull }),
  "test:repeat": () => import("../../tools/cli/test-repeat.ts"),
  "verify:bank": () => import("../../tools/cli/verify-bank.ts"),
  "verify:processor": () => import("../../tools/cli/verify-processor.ts"),
};

/** Whether a command needs no process of its own. */
export const isProgram = (name: string): name is keyof typeof programs => name in programs;

/**
 * Runs a command without a person to ask. With `npm run test:full` it is started as npm does; by default it runs in this
 * process, since to start one takes longer than most commands.
 */
export function command(name: keyof typeof programs, args: readonly string[] = [], settings: Settings = {}): Promise<Said> {
  return isFull ? startCommand(name, args, settings) : runHere(programs[name], args, settings);
}

/** Starts a command as npm does, and waits for its end. */
export async function startCommand(name: string, args: readonly string[] = [], settings: Settings = {}): Promise<Said> {
  const program = [join(root, "tools/cli/start.mjs"), name, ...args];
  const child = spawn(process.execPath, program, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...settings },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

type Program = () => Promise<{ readonly run: (args: readonly string[]) => Promise<number> }>;

async function runHere(load: Program, args: readonly string[], settings: Settings): Promise<Said> {
  const lines: string[] = [];
  const note = (line: unknown) => void lines.push(String(line));
  vi.spyOn(console, "log").mockImplementation(note);
  vi.spyOn(console, "error").mockImplementation(note);
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  try {
    const { run } = await load();
    return { code: await run(args), output: lines.map((line) => `${line}\n`).join("") };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}
