import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it, vi } from "vitest";
import { freePorts } from "../../tools/local/ports.ts";
import { endGroup } from "../../tools/local/processes.ts";
import { version } from "../../tools/release/version.ts";
import { executedBlocks } from "./pages.ts";
import { sharedStack } from "./shared-stack.ts";

/** docs/quickstart.md, word by word, in an empty folder: only Node, and the address of the service. */

const stack = sharedStack();
const execute = promisify(execFile);
const env = { ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter) };

const running: ChildProcess[] = [];
let folder = "";
afterAll(async () => {
  for (const child of running) await endGroup(child);
  await rm(folder, { recursive: true, force: true });
});

/** Starts a program of the page, and waits until it has printed something. */
async function start(program: string, args: readonly string[], said: RegExp): Promise<() => string> {
  const child = spawn(program, args, { cwd: folder, env, detached: true });
  running.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
  await vi.waitUntil(() => said.test(output) || child.exitCode !== null, { timeout: 120_000 });
  expect(output).toMatch(said);
  return () => output;
}

it("leads from an empty folder to a verified event of a paid order", async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-payments-quickstart-"));
  const [port = 0, sandboxPort = 0, receiverPort = 0] = await freePorts(3);
  const here = (text: string) =>
    text
      .replaceAll("http://localhost:8787/packages", `${stack.edge}/packages`)
      .replaceAll("VERSION", version)
      .replaceAll("http://localhost:8790", `http://localhost:${port}`)
      .replaceAll("3000", String(receiverPort));
  const [commands = ""] = await executedBlocks("docs/quickstart.md", "sh");
  const [receive = "", sell = ""] = await executedBlocks("docs/quickstart.md", "js");
  await execute("bash", ["-euo", "pipefail", "-c", here(commands)], { cwd: folder, env: { ...env, npm_config_prefer_offline: "true" } });
  await writeFile(join(folder, "receive.mjs"), here(receive));
  await writeFile(join(folder, "sell.mjs"), here(sell));

  const local = join(folder, "node_modules", ".bin", "ppay-local");
  await start(process.execPath, [local, "--port", String(port), "--sandbox-port", String(sandboxPort)], /ready: http/);
  const received = await start(process.execPath, ["receive.mjs"], /Waiting for events/);
  const { stdout } = await execute(process.execPath, ["sell.mjs"], { cwd: folder, env });
  const [address = "", reference] = stdout.trim().split("?client_reference_id=");
  const paid = await fetch(`http://localhost:${sandboxPort}/control/pay`, {
    method: "POST",
    body: JSON.stringify({ short_url: address, client_reference_id: reference }),
  });
  expect(paid.status).toBe(200);
  await vi.waitUntil(() => received().includes("Processor.payment.succeeded order-2041 19"), { timeout: 120_000 });
});
