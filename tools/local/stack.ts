import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { localVars } from "../../sandbox/local-settings.ts";
import { cellConfig } from "./cell-config.ts";
import { runCron } from "./cron.ts";
import { Edge, type EdgeOptions } from "./edge.ts";
import { MAX_LOCAL_CELLS } from "./further-cells.ts";
import { makeSite } from "./keep-site.ts";
import { isTaken, root, runTool, UserFault } from "./processes.ts";
import { Running } from "./running.ts";
import { startSandbox } from "./sandbox-server.ts";

export interface StackOptions {
  readonly port: number;
  readonly sandboxPort: number;
  readonly stateDir: string;
  readonly processorApiBase?: string | undefined;
  readonly bankApiBase?: string | undefined;
  /** Whether partners, keys and products for local use are loaded into empty databases. */
  readonly fixtures: boolean;
  /** The minimum number of cells; default 1. */
  readonly cells?: number;
  /** How the Worker's output is shown. */
  readonly output: EdgeOptions["output"];
  /** Whether an edge that ended, or whose runtime was killed, is started again. */
  readonly restart?: boolean;
}

export interface Stack {
  readonly edge: string;
  readonly sandbox: string;
  /** Resolves with the exit code when the edge ends and is not started again. */
  readonly ended: Promise<number>;
  stop(): Promise<void>;
}

/** The caller aborted the start. */
export class Interrupted extends UserFault {}

/**
 * Starts the edge under `wrangler dev` and the sandbox, on the given ports and state. Applies the migrations, loads the
 * fixtures into empty databases if requested, and waits until the edge is ready. If `interruption` resolves during the
 * start, it ends everything that it started. @throws UserFault for errors that the user can fix.
 */
export async function startStack(options: StackOptions, interruption: Promise<unknown> = new Promise(() => {})): Promise<Stack> {
  const endings: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of endings.splice(0).toReversed()) await end();
  };
  const aborted = new AbortController();
  void interruption.then(() => aborted.abort(new Interrupted("Stopped before it was ready.")));
  const { signal } = aborted;
  try {
    const { ended, ...addresses } = await start(options, endings, signal);
    signal.throwIfAborted();
    return { ...addresses, ended, stop };
  } catch (thrown) {
    await stop();
    signal.throwIfAborted();
    throw thrown;
  }
}

/** Each step ends at once where the signal aborts it, and none begins after it. */
async function start(options: StackOptions, endings: (() => Promise<void>)[], signal: AbortSignal): Promise<Omit<Stack, "stop">> {
  const stateDir = resolve(root, options.stateDir);
  const running = new Running(stateDir);
  await checkPlace(options, stateDir, running);
  running.note(null);
  endings.push(() => Promise.resolve(running.clear()));
  const edge = `http://localhost:${options.port}`;
  const sandbox = `http://localhost:${options.sandboxPort}`;
  const { cells, path: config } = cellConfig(stateDir, options.cells ?? 1);
  const content = options.fixtures ? "fixtures" : "empty";
  // In a separate process: otherwise the runtime that it starts would end this process at the first signal.
  const [seeded] = await Promise.all([
    runTool(join(root, "tools", "local", "seed.ts"), [stateDir, sandbox, content, String(cells)], { quiet: true, signal }),
    process.env.SITE === "built" ? null : makeSite(signal),
  ]);
  signal.throwIfAborted();
  if (seeded !== 0) fail("The local databases could not be migrated, or the fixtures not loaded; the lines above say why.");

  const sandboxServer = await startSandbox({ port: options.sandboxPort, edge, stateFile: join(stateDir, "sandbox.json") });
  endings.push(() => sandboxServer.close());
  signal.throwIfAborted();
  const addresses = { edge, processor: options.processorApiBase ?? sandbox, bank: options.bankApiBase ?? sandbox };
  // A developer who follows a short link wants to see its log line.
  const vars = { ...localVars(addresses), LOG_REDIRECTS: "1" };
  const worker = new Edge({
    port: options.port,
    stateDir,
    config,
    vars,
    output: options.output,
    restart: options.restart === true,
    started: (group) => running.note(group),
  });
  endings.push(() => worker.stop());
  const endCron = runCron(edge);
  endings.push(() => Promise.resolve(endCron()));
  await Promise.race([worker.ready, untilAborted(signal)]);
  return { edge, sandbox, ended: worker.ended };
}

/** Never resolves. @throws Interrupted once the signal is aborted */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Interrupted("Stopped before it was ready.")), { once: true });
  });
}

/** @throws UserFault if an address is invalid or taken, or the state directory is unusable */
async function checkPlace(options: StackOptions, stateDir: string, running: Running): Promise<void> {
  const { port, sandboxPort, processorApiBase, bankApiBase, cells = 1 } = options;
  if (!Number.isInteger(cells) || cells < 1 || cells > MAX_LOCAL_CELLS) fail(`CELLS must be a whole number from 1 to ${MAX_LOCAL_CELLS}.`);
  const ports = { PORT: port, SANDBOX_PORT: sandboxPort };
  for (const [name, wanted] of Object.entries(ports)) {
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) fail(`${name} must be a number from 1 to 65535.`);
  }
  if (port === sandboxPort) fail("PORT and SANDBOX_PORT must differ.");
  if (processorApiBase !== undefined && !/^https?:\/\/[^/]+\/?$/.test(processorApiBase)) {
    fail("PROCESSOR_API_BASE must be an address such as http://localhost:9999, without a path.");
  }
  if (bankApiBase !== undefined && !/^https?:\/\/[^/?#]+[^?#]*$/.test(bankApiBase)) {
    fail("BANK_API_BASE must be an address such as http://localhost:9999, without a query.");
  }
  try {
    makeFolder(stateDir);
    // A file is none.
    accessSync(`${stateDir}/.`, constants.W_OK);
  } catch {
    fail(`The state directory ${stateDir} cannot be written. Make it writable, or choose another with STATE_DIR=…`);
  }
  await running.endOrphans();
  for (const [name, wanted] of Object.entries(ports)) {
    if (await isTaken(wanted)) fail(`Port ${wanted} is taken. End what listens there, or choose another with ${name}=…`);
  }
  running.refuseSecond();
}

/** Creates one folder at a time: a recursive mkdir of Node never returns if a folder below /proc cannot be created. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function fail(message: string): never {
  throw new UserFault(message);
}
