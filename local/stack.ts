import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { endGroup, isTaken, root, runTool, spawnTool, UserFault } from "./processes.ts";
import { startSandbox } from "./sandbox-server.ts";

/** Milliseconds. In production the cron runs each minute; here it runs more often, to shorten the waiting time. */
const CRON_EVERY = 15_000;
const START_TIMEOUT = 60_000;

export interface StackOptions {
  readonly port: number;
  readonly sandboxPort: number;
  readonly stateDir: string;
  readonly processorApiBase?: string | undefined;
  readonly bankApiBase?: string | undefined;
  /** Whether partners, keys and products for local use are loaded into empty databases. */
  readonly fixtures: boolean;
  /** Whether the Worker's own output is hidden. */
  readonly quiet: boolean;
}

export interface Stack {
  readonly edge: string;
  readonly sandbox: string;
  /** Resolves when the Worker's process ends by itself, with its exit code. */
  readonly ended: Promise<number>;
  stop(): Promise<void>;
}

/** The caller aborted the start. */
export class Interrupted extends UserFault {}

/**
 * Starts the edge under `wrangler dev` and the sandbox, on the given ports and state. Applies the migrations, loads the
 * fixtures into empty databases if wanted, and waits until the edge is ready. If `interruption` resolves during the start, it ends
 * everything that it started. @throws UserFault for errors that the user can fix.
 */
export async function startStack(options: StackOptions, interruption: Promise<unknown> = new Promise(() => {})): Promise<Stack> {
  const endings: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const end of endings.splice(0).toReversed()) await end();
  };
  const interrupted = interruption.then(() => {
    throw new Interrupted("Stopped before it was ready.");
  });
  const starting = start(options, endings);
  try {
    const { ended, ...addresses } = await Promise.race([starting, interrupted]);
    return { ...addresses, ended, stop };
  } catch (thrown) {
    await stop();
    // The aborted start may have started another process in the meantime.
    await starting.catch(() => undefined);
    await stop();
    throw thrown;
  }
}

async function start(options: StackOptions, endings: (() => Promise<void>)[]): Promise<Omit<Stack, "stop">> {
  const stateDir = resolve(root, options.stateDir);
  await checkPlace(options, stateDir);
  const edge = `http://localhost:${options.port}`;
  const sandbox = `http://localhost:${options.sandboxPort}`;
  // In a separate process: otherwise the runtime that it starts would end our process at the first signal.
  const seeded = await runTool(join(root, "local", "seed.ts"), [stateDir, sandbox, options.fixtures ? "fixtures" : "empty"], {
    quiet: true,
  });
  if (seeded !== 0) fail("The local databases could not be migrated, or the fixtures not loaded; the lines above say why.");

  const eventSecrets = { live: localSecrets.PROCESSOR_EVENT_SECRET_LIVE, test: localSecrets.PROCESSOR_EVENT_SECRET_TEST };
  const sandboxServer = await startSandbox({ port: options.sandboxPort, edge, stateFile: join(stateDir, "sandbox.json"), eventSecrets });
  endings.push(() => sandboxServer.close());
  const vars = localVars({ edge, processor: options.processorApiBase ?? sandbox, bank: options.bankApiBase ?? sandbox });
  const worker = spawnTool("wrangler", devArguments(options.port, stateDir, vars), options.quiet ? "pipe" : "inherit", localSecrets);
  endings.push(() => endGroup(worker));
  const output: string[] = [];
  for (const stream of [worker.stdout, worker.stderr]) stream?.on("data", (data: Buffer) => output.push(data.toString()));
  const ended = new Promise<number>((done) => worker.once("close", (code) => done(code ?? 1)));
  const cron = setInterval(() => void fetch(`${edge}/cdn-cgi/handler/scheduled`).catch(() => undefined), CRON_EVERY);
  endings.push(() => Promise.resolve(clearInterval(cron)));
  try {
    await Promise.race([untilHealthy(edge, ended), ended.then((code) => fail(`The edge ended with code ${code} before it was ready.`))]);
  } catch (thrown) {
    process.stderr.write(output.join(""));
    throw thrown;
  }
  return { edge, sandbox, ended };
}

async function checkPlace({ port, sandboxPort, processorApiBase, bankApiBase }: StackOptions, stateDir: string): Promise<void> {
  for (const [name, wanted] of [["PORT", port] as const, ["SANDBOX_PORT", sandboxPort] as const]) {
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) fail(`${name} must be a number from 1 to 65535.`);
    if (await isTaken(wanted)) fail(`Port ${wanted} is taken. End what listens there, or choose another with ${name}=…`);
  }
  if (processorApiBase !== undefined && !/^https?:\/\/[^/]+\/?$/.test(processorApiBase)) {
    fail("PROCESSOR_API_BASE must be an address such as http://localhost:9999, without a path.");
  }
  if (bankApiBase !== undefined && !/^https?:\/\/[^/?#]+[^?#]*$/.test(bankApiBase)) {
    fail("BANK_API_BASE must be an address such as http://localhost:9999, without a query.");
  }
  if (port === sandboxPort) fail("PORT and SANDBOX_PORT must differ.");
  try {
    makeFolder(stateDir);
    accessSync(stateDir, constants.W_OK);
  } catch {
    fail(`The state directory ${stateDir} cannot be written. Make it writable, or choose another with STATE_DIR=…`);
  }
}

/** Creates one folder at a time: a recursive mkdir of Node never returns if a folder below /proc cannot be created. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function devArguments(port: number, stateDir: string, vars: Readonly<Record<string, string>>): string[] {
  const settings = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const quietly = ["--log-level", "warn", "--show-interactive-dev-session=false", "--inspector-port", "0"];
  return ["dev", "--port", String(port), "--ip", "localhost", "--persist-to", stateDir, ...quietly, ...settings];
}

async function untilHealthy(edge: string, ended: Promise<unknown>): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT;
  const over = new AbortController();
  void ended.finally(() => over.abort());
  while (Date.now() < giveUpAt && !over.signal.aborted) {
    const healthy = await fetch(`${edge}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) return;
    await new Promise((again) => setTimeout(again, 200));
  }
  fail(`The edge did not answer within ${START_TIMEOUT / 1000} seconds.`);
}

function fail(message: string): never {
  throw new UserFault(message);
}
