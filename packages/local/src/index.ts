import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { LOCAL_KEY } from "../../../sandbox/local-settings.ts";
import { freePorts } from "../../../tools/local/ports.ts";
import { startSandbox } from "../../../tools/local/sandbox-server.ts";
import { signInLink } from "../../../tools/local/sign-in-link.ts";
import { askingAt, controlOf } from "./control.ts";
import { startRuntime } from "./runtime.ts";
import type { LocalOptions, LocalService } from "./types.ts";

/** The cron of a deployed service runs each minute; here it runs more often, so that a test waits less. In milliseconds. */
const CRON_EVERY = 5_000;
/** What became due in the advanced time is done in several runs. */
const RUNS_AFTER_ADVANCE = 3;

/**
 * Starts the service that partners sell by, as it is deployed, with a sandbox in the place of the processor and the bank. Nothing leaves
 * this machine, and no money moves.
 */
export async function startLocal(options: LocalOptions = {}): Promise<LocalService> {
  const [freePort = 0, freeSandboxPort = 0] = await freePorts(2);
  const { port = freePort, sandboxPort = freeSandboxPort, stateDir, fixtures = true, log = () => undefined } = options;
  const [url, sandbox] = [`http://localhost:${port}`, `http://localhost:${sandboxPort}`];
  const folder = dirname(fileURLToPath(import.meta.url));
  let advanced = 0;
  const runtime = await startRuntime({ folder, port, edge: url, sandbox, stateDir: stateDir ?? null, fixtures, log });
  const advance = async (milliseconds: number) => {
    advanced += milliseconds;
    await runtime.setAdvanced(advanced);
    for (let run = 0; run < RUNS_AFTER_ADVANCE; run += 1) await runtime.runCron();
  };
  const server = await startSandbox({
    port: sandboxPort,
    edge: url,
    stateFile: stateDir === undefined ? null : `${stateDir}/sandbox.json`,
    clock: { now: () => Date.now() + advanced },
    advance,
  }).catch(async (thrown: unknown) => {
    await runtime.close();
    throw thrown;
  });
  const timer = setInterval(() => void runtime.runCron().catch(() => undefined), CRON_EVERY);
  return {
    url,
    sandbox,
    key: fixtures ? LOCAL_KEY : null,
    ...controlOf(askingAt(sandbox)),
    dashboardLink: () => signInLink(url),
    async stop() {
      clearInterval(timer);
      await server.close();
      await runtime.close();
    },
  };
}
