import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { getPlatformProxy, unstable_readConfig } from "wrangler";
import { z } from "zod";
import { loadFixtures } from "../sandbox/fixtures.ts";
import { localSecrets, localVars } from "../sandbox/local-settings.ts";
import { openDatabase } from "../src/db/client.ts";
import type { Bindings } from "../src/env.ts";
import { endGroup, isTaken, root, runTool, spawnTool, UserFault } from "./processes.ts";
import { startSandbox } from "./sandbox-server.ts";

/** The cron runs each minute on the network; here a little more often, so that nobody waits for it. */
const CRON_EVERY = 15_000;
const START_TIMEOUT = 60_000;

export interface StackOptions {
  readonly port: number;
  readonly sandboxPort: number;
  readonly stateDir: string;
  readonly processorApiBase?: string | undefined;
  readonly bankApiBase?: string | undefined;
  /** Whether the Worker's own output is shown. */
  readonly quiet: boolean;
}

export interface Stack {
  readonly edge: string;
  readonly sandbox: string;
  /** Resolves when the Worker's process ends by itself, with its exit code. */
  readonly ended: Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts the edge under `wrangler dev` and the sandbox, on the given ports and state: migrated, with fixtures in an
 * empty database, and ready to answer. @throws UserFault for what the person at the keyboard can mend.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const stateDir = resolve(root, options.stateDir);
  await checkPlace(options, stateDir);
  const edge = `http://localhost:${options.port}`;
  const sandbox = `http://localhost:${options.sandboxPort}`;
  const migrated = await runTool("wrangler", ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir], {
    quiet: true,
    env: { CI: "true" },
  });
  if (migrated !== 0) throw new UserFault("The local database could not be migrated; the lines above say why.");
  await seed(stateDir, sandbox);

  const eventSecrets = { live: localSecrets.PROCESSOR_EVENT_SECRET_LIVE, test: localSecrets.PROCESSOR_EVENT_SECRET_TEST };
  const sandboxServer = await startSandbox({ port: options.sandboxPort, edge, stateFile: join(stateDir, "sandbox.json"), eventSecrets });
  const vars = { ...localVars({ edge, processor: options.processorApiBase ?? sandbox }), BANK_API_BASE: options.bankApiBase ?? sandbox };
  const worker = spawnTool("wrangler", devArguments(options.port, stateDir, vars), options.quiet ? "pipe" : "inherit", localSecrets);
  const output: string[] = [];
  for (const stream of [worker.stdout, worker.stderr]) stream?.on("data", (data: Buffer) => output.push(data.toString()));
  const ended = new Promise<number>((done) => worker.once("close", (code) => done(code ?? 1)));
  const stop = async () => {
    clearInterval(cron);
    await endGroup(worker);
    await sandboxServer.close();
  };
  const cron = setInterval(() => void fetch(`${edge}/cdn-cgi/handler/scheduled`).catch(() => undefined), CRON_EVERY);
  try {
    await Promise.race([untilHealthy(edge), ended.then((code) => fail(`The edge ended with code ${code} before it was ready.`))]);
  } catch (thrown) {
    process.stderr.write(output.join(""));
    await stop();
    throw thrown;
  }
  return { edge, sandbox, ended, stop };
}

async function checkPlace({ port, sandboxPort }: StackOptions, stateDir: string): Promise<void> {
  for (const [name, wanted] of [["PORT", port] as const, ["SANDBOX_PORT", sandboxPort] as const]) {
    if (!Number.isInteger(wanted) || wanted < 1 || wanted > 65_535) fail(`${name} must be a number from 1 to 65535.`);
    if (await isTaken(wanted)) fail(`Port ${wanted} is taken. End what listens there, or choose another with ${name}=…`);
  }
  if (port === sandboxPort) fail("PORT and SANDBOX_PORT must differ.");
  try {
    mkdirSync(stateDir, { recursive: true });
    accessSync(stateDir, constants.W_OK);
  } catch {
    fail(`The state directory ${stateDir} cannot be written. Make it writable, or choose another with STATE_DIR=…`);
  }
}

const databaseConfigSchema = z.object({ compatibility_date: z.string(), d1_databases: z.array(z.json()) });

/** Through the database alone: the rest of the Worker's configuration would only make the proxy complain. */
async function seed(stateDir: string, sandbox: string): Promise<void> {
  const config: unknown = unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true });
  const { compatibility_date, d1_databases } = databaseConfigSchema.parse(config);
  const configPath = join(stateDir, "seed.json");
  writeFileSync(configPath, JSON.stringify({ name: "seed", compatibility_date, d1_databases }));
  const proxy = await getPlatformProxy<Pick<Bindings, "DB">>({
    configPath,
    persist: { path: join(stateDir, "v3") },
    remoteBindings: false,
  });
  try {
    await loadFixtures(openDatabase(proxy.env.DB), sandbox);
  } finally {
    await proxy.dispose();
  }
}

function devArguments(port: number, stateDir: string, vars: Readonly<Record<string, string>>): string[] {
  const settings = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  const quietly = ["--log-level", "warn", "--show-interactive-dev-session=false", "--inspector-port", "0"];
  return ["dev", "--port", String(port), "--ip", "localhost", "--persist-to", stateDir, ...quietly, ...settings];
}

async function untilHealthy(edge: string): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT;
  while (Date.now() < giveUpAt) {
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
