import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { runCron } from "../local/cron.ts";
import { endingItself } from "../local/interruption.ts";
import { isTaken, root } from "../local/processes.ts";
import { startSandbox } from "../local/sandbox-server.ts";
import { signInLink } from "../local/sign-in-link.ts";

/** Between two looks for an edge that is still starting, in milliseconds. */
const AGAIN = 2_000;

/** The link that signs in, as soon as the edge answers; null where it has no fixtures, or the signal comes first. */
async function signInLinkOnce(edge: string, ended: AbortSignal): Promise<string | null> {
  while (!ended.aborted) {
    const isThere = await fetch(`${edge}/health`, { signal: ended }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return signInLink(edge).catch(() => null);
    await setTimeout(AGAIN, undefined, { signal: ended }).catch(() => undefined);
  }
  return null;
}

/** `npm run sandbox`: the sandbox alone, beside a Worker that `npx wrangler dev` serves. It runs until a signal. */
export async function run(): Promise<number> {
  const { PORT = "8787", SANDBOX_PORT = "8788", STATE_DIR = ".wrangler/state" } = process.env;
  const edge = `http://localhost:${PORT}`;
  const stateDir = resolve(root, STATE_DIR);
  if (await isTaken(Number(SANDBOX_PORT))) {
    console.error(`Port ${SANDBOX_PORT} is taken. End what listens there, or choose another with SANDBOX_PORT=…`);
    return 1;
  }
  mkdirSync(stateDir, { recursive: true });
  return endingItself(async (interrupted) => {
    const sandbox = await startSandbox({
      port: Number(SANDBOX_PORT),
      edge,
      stateFile: join(stateDir, "sandbox.json"),
    });
    const endCron = runCron(edge);
    const ended = new AbortController();
    void interrupted.then(() => ended.abort());
    console.log(`ready: sandbox http://localhost:${SANDBOX_PORT}, for an edge at ${edge}, whose cron it runs too`);
    const link = await signInLinkOnce(edge, ended.signal);
    if (link !== null) console.log(`be the partner: ${link} (once)`);
    await interrupted;
    endCron();
    await sandbox.close();
    return 0;
  });
}
