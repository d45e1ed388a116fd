import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localVars } from "../../sandbox/local-settings.ts";
import { runWrangler } from "../../tools/cli/deploy/wrangler.ts";
import { runCron } from "../../tools/local/cron.ts";
import { Edge } from "../../tools/local/edge.ts";
import { freePorts } from "../../tools/local/ports.ts";
import { startSandbox } from "../../tools/local/sandbox-server.ts";

/**
 * Runs what a deployment has put on the stand-in: its configuration, the secrets that it made, and databases by its own migrations. Addresses
 * and the processor's keys are those of a sandbox, and everything answers on one host.
 */
export async function runDeployed(deployments: string, name: string) {
  const folder = await mkdtemp(join(tmpdir(), "partner-payments-deployed-"));
  const [port = 0, sandboxPort = 0] = await freePorts(2);
  const [edge, sandbox] = [`http://localhost:${port}`, `http://localhost:${sandboxPort}`];
  // A machine has one host for all.
  const { routes: _routes, ...deployed } = JSON.parse(await readFile(join(deployments, `${name}.wrangler.json`), "utf8"));
  const config = join(deployments, `${name}.local.json`);
  await writeFile(config, JSON.stringify({ ...deployed, vars: { ...deployed.vars, CHECKOUT_ORIGINS: sandbox } }));
  const made: Record<string, string> = JSON.parse(await readFile(join(deployments, `${name}.secrets.json`), "utf8"));
  for (const database of ["directory", "cell-1"]) {
    const args = ["d1", "migrations", "apply", `${name}-${database}`, "--local", "--config", config, "--persist-to", folder];
    const { code, error } = await runWrangler(args);
    if (code !== 0) throw new Error(`the databases could not be migrated: ${error}`);
  }
  const server = await startSandbox({ port: sandboxPort, edge, stateFile: join(folder, "sandbox.json") });
  const vars = { ...localVars({ edge, processor: sandbox, bank: sandbox }), DASHBOARD_ORIGIN: edge, ...made };
  const worker = new Edge({ port, stateDir: folder, config, vars, output: "none", restart: false, started: () => undefined });
  const endCron = runCron(edge);
  const stop = async () => {
    endCron();
    await worker.stop();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  };
  await worker.ready.catch(async (thrown: unknown) => {
    await stop();
    throw thrown;
  });
  return { edge, sandbox, operatorsToken: made["OPS_TOKEN"] ?? "", stop };
}
