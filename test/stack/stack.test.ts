import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { freePorts } from "../../tools/local/ports.ts";
import { membersOf, processes } from "../../tools/local/process-table.ts";
import { endGroup, isTaken, OFFLINE, root } from "../../tools/local/processes.ts";
import { command, startCommand } from "./command.ts";
import { isFull } from "./scale.ts";

const KEY = "a0000000-0000-4000-8000-000000000001";
const folders: string[] = [];
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "partner-payments-stack-"));
  folders.push(folder);
  return folder;
}

interface Running {
  readonly edge: string;
  readonly sandbox: string;
  readonly ports: readonly number[];
  readonly output: () => string;
  readonly ended: Promise<number | null>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts `npm run dev`'s program and waits for its `ready` line, or for its end. */
async function start(wanted: Record<string, string>): Promise<Running> {
  const child = spawn(process.execPath, [join(root, "tools/cli/start.mjs"), "dev"], { env: { ...process.env, ...wanted } });
  children.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  // What it started may outlive a kill, with its output in hand.
  const killed = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await Promise.race([
    ended,
    new Promise<void>((resolve) => {
      child.stdout.on("data", () => /^ready: /m.test(output) && resolve());
    }),
  ]);
  const { PORT = "", SANDBOX_PORT = "" } = wanted;
  return {
    edge: `http://localhost:${PORT}`,
    sandbox: `http://localhost:${SANDBOX_PORT}`,
    ports: [Number(PORT), Number(SANDBOX_PORT)],
    output: () => output,
    ended,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return signal === "SIGKILL" ? killed : ended;
    },
  };
}

async function freePortsOf(): Promise<{ PORT: string; SANDBOX_PORT: string }> {
  const [port, sandboxPort] = await freePorts(2);
  return { PORT: String(port), SANDBOX_PORT: String(sandboxPort) };
}

async function settings(): Promise<Record<string, string>> {
  return { ...(await freePortsOf()), STATE_DIR: await newFolder() };
}

async function post(url: string, body: object): Promise<any> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Partner-Api-Key": KEY },
    body: JSON.stringify(body),
  });
  return response.json();
}

const cart = (client_token: string) => ({
  items: [{ stripe_product_id: "prod_acmeTestUsd1", unit_amount: 1900, quantity: 1 }],
  client_token,
});
const makeLink = (edge: string, token: string) => post(`${edge}/create-partner-processor-cart-payment-link`, cart(token));
const list = (edge: string, reference: string) => post(`${edge}/list-partner-processor-transactions`, { client_reference_id: reference });

it.runIf(isFull)("serves, keeps what it accepted over a restart, and ends without a trace", async () => {
  const first = await settings();
  const one = await start(first);
  // What it said instead is what a failure has to show.
  expect(one.output()).toContain("ready: ");
  expect(one.output().match(/^ready: .*$/gm)).toEqual([`ready: edge ${one.edge}, sandbox ${one.sandbox}`]);
  const link = await makeLink(one.edge, "kept");
  expect(link).toMatchObject({ success: true, duplicate: false });

  await post(`${one.sandbox}/control/pay`, { short_url: link.short_url, client_reference_id: "over-restart" });
  await expect.poll(() => list(one.edge, "over-restart")).toMatchObject({ count: 1 });
  expect(await one.stop("SIGTERM")).toBe(0);
  for (const port of one.ports) expect(await isTaken(port)).toBe(false);

  const [elsewhere] = await freePorts(1);
  const again = await start({ ...first, SANDBOX_PORT: String(elsewhere) });
  expect(await makeLink(again.edge, "kept")).toEqual({ ...link, duplicate: true });
  expect(await list(again.edge, "over-restart")).toMatchObject({ count: 1 });
  const redirect = await fetch(link.short_url, { redirect: "manual" });
  expect(redirect.status).toBe(302);
  expect((await fetch(redirect.headers.get("Location") ?? "")).status).toBe(200);
  expect(await again.stop()).toBe(0);
});

it.runIf(isFull)("runs beside a second stack", async () => {
  const [one, two] = [await start(await settings()), await start(await settings())];
  expect(await makeLink(one.edge, "kept")).toMatchObject({ success: true, duplicate: false });
  expect(await makeLink(two.edge, "kept")).toMatchObject({ success: true, duplicate: false });
  const objects = async (stack: Running) => (await fetch(`${stack.sandbox}/control/objects?type=payment_links`)).json();
  expect(await objects(one)).toMatchObject({ count: 1 });
  expect(await objects(two)).toMatchObject({ count: 1 });
  expect(await two.stop("SIGINT")).toBe(0);
  expect(await makeLink(one.edge, "still there")).toMatchObject({ success: true, duplicate: false });
  expect(await one.stop("SIGTERM")).toBe(0);
  for (const port of [...one.ports, ...two.ports]) expect(await isTaken(port)).toBe(false);
});

it.runIf(isFull)("starts its runtime again after a kill, and ends what a killed start has left", async () => {
  const wanted = await settings();
  const one = await start(wanted);
  const link = await makeLink(one.edge, "kept");
  for (const runtime of runtimesOf(wanted)) process.kill(runtime, "SIGKILL");
  await expect.poll(one.output).toContain("The edge answers again.");
  expect(await makeLink(one.edge, "kept")).toEqual({ ...link, duplicate: true });

  const second = await start({ ...wanted, ...(await freePortsOf()) });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain("uses this state directory");

  const orphans = runtimesOf(wanted);
  await one.stop("SIGKILL");
  expect(processes().filter(({ pid }) => orphans.includes(pid))).toHaveLength(orphans.length);
  const again = await start(wanted);
  expect(processes().filter(({ pid }) => orphans.includes(pid))).toEqual([]);
  expect(await makeLink(again.edge, "kept")).toEqual({ ...link, duplicate: true });
  expect(await again.stop()).toBe(0);
});

/** The runtimes of the edge that the stack of these settings has written down. */
function runtimesOf({ STATE_DIR = "" }: Record<string, string>): number[] {
  const { edge } = JSON.parse(readFileSync(join(STATE_DIR, "running.json"), "utf8"));
  const runtimes = membersOf(edge.pid).filter(({ program }) => program === "workerd");
  expect(runtimes).not.toEqual([]);
  return runtimes.map(({ pid }) => pid);
}

it.runIf(isFull)("serves under `npx wrangler dev` alone, and says what is missing beside it", async () => {
  const copy = await newFolder();
  // Other tests make and delete some of these meanwhile.
  const left = /^(node_modules|\.git|\.wrangler|dist|\.dev\.vars|deployments-test-[^/]*|test\/clients\/generated)$/;
  await cp(root, copy, { recursive: true, filter: (path) => !left.test(relative(root, path)) });
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  const ports = await freePortsOf();
  const wrangler = [
    join(copy, "node_modules/.bin/wrangler"),
    "dev",
    "--port",
    ports.PORT,
    "--persist-to",
    "elsewhere",
    "--inspector-port",
    "0",
  ];
  const child = spawn(process.execPath, wrangler, { cwd: copy, detached: true, env: { ...process.env, ...OFFLINE, ...ports, SITE: "" } });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
  try {
    const answer = () => list(`http://localhost:${ports.PORT}`, "none").catch(() => null);
    await expect.poll(answer).toMatchObject({ success: true, count: 0 });
    expect(output).toContain(`PORT=${ports.PORT} SANDBOX_PORT=${ports.SANDBOX_PORT} npm run sandbox`);
    expect(await makeLink(`http://localhost:${ports.PORT}`, "alone")).toMatchObject({
      error_code: "INTEGRATION_UPSTREAM_ERROR",
      error_message: expect.stringContaining(`SANDBOX_PORT=${ports.SANDBOX_PORT} npm run sandbox`),
    });
    expect(readFileSync(join(copy, ".dev.vars"), "utf8")).toContain(`API_ORIGIN='http://localhost:${ports.PORT}'`);
    expect(readFileSync(join(copy, ".dev.vars"), "utf8")).toContain(`PROCESSOR_API_BASE='http://localhost:${ports.SANDBOX_PORT}'`);
    // With the sandbox beside it, it sells, and a person signs in.
    const sandbox = spawn(process.execPath, [join(root, "tools/cli/start.mjs"), "sandbox"], {
      env: { ...process.env, ...ports, STATE_DIR: join(copy, "elsewhere") },
    });
    children.push(sandbox);
    let said = "";
    sandbox.stdout.on("data", (data: Buffer) => (said += data.toString()));
    await expect.poll(() => said).toMatch(/be the partner: http:\/\/localhost:\d+\/\S+ \(once\)/);
    expect(await makeLink(`http://localhost:${ports.PORT}`, "beside")).toMatchObject({ success: true });
    expect(existsSync(join(copy, "elsewhere", "v3"))).toBe(true);
    expect(existsSync(join(copy, ".wrangler", "state"))).toBe(false);
  } finally {
    await endGroup(child);
  }
});

it.runIf(isFull)("a running stack is filled with example data by npm run seed, and goes on", async () => {
  const wanted = await settings();
  const one = await start(wanted);
  const { code, output } = await startCommand("seed", ["--payments", "10", "--days", "5"], wanted);
  expect([code, output]).toEqual([0, expect.stringContaining("Done.")]);
  const orders = async () => {
    const answer = await fetch(`http://localhost:${wanted.PORT}/partner/orders?environment=live&limit=1`, {
      headers: { "X-Partner-Api-Key": KEY },
    }).catch(() => null);
    return (await answer?.json().catch(() => null)) as unknown;
  };
  await expect.poll(orders, { timeout: 60_000 }).toMatchObject({ data: [{ environment: "live", status: expect.any(String) }] });
  expect(await one.stop("SIGTERM")).toBe(0);
  for (const port of one.ports) expect(await isTaken(port)).toBe(false);
});

it.runIf(isFull).each(["dev", "demo"])("%s that is stopped while it starts leaves nothing running", async (name) => {
  const wanted = await settings();
  const child = spawn(process.execPath, [join(root, "tools/cli/start.mjs"), name], { env: { ...process.env, ...wanted } });
  children.push(child);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  await new Promise<void>((resolve) => {
    child.stdout.on("data", (data: Buffer) => data.toString().startsWith("Starting") && resolve());
  });
  // Some of it is running by then, and some is not; the pause chooses a moment, and nothing depends on which.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (said += data.toString()));
  child.kill("SIGTERM");
  expect(await ended).toBe(name === "dev" ? 0 : 143);
  expect(said).not.toMatch(/started again|could not be/);
  if (name === "dev") for (const port of [wanted.PORT, wanted.SANDBOX_PORT]) expect(await isTaken(Number(port))).toBe(false);
});

it.runIf(isFull)("puts another processor behind the edge when its address is set", async () => {
  const calls: string[] = [];
  const other = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response
      .writeHead(401, { "Content-Type": "application/json" })
      .end('{"error":{"type":"invalid_request_error","message":"another processor"}}');
  });
  const [port] = await freePorts(1);
  await new Promise<void>((resolve) => other.listen(port, resolve));
  const stack = await start({ ...(await settings()), PROCESSOR_API_BASE: `http://localhost:${port}` });
  expect(await makeLink(stack.edge, "elsewhere")).toMatchObject({ success: false, error_code: "INTEGRATION_UPSTREAM_ERROR" });
  expect(calls).toContain("POST /v1/payment_links");
  expect(await stack.stop()).toBe(0);
  other.close();
});

it("says in one line that a port is taken, that one is none, or that the state cannot be written", async () => {
  const wanted = await settings();
  const squatter = createServer();
  await new Promise<void>((resolve) => squatter.listen(Number(wanted.PORT), "localhost", resolve));
  const taken = await command("dev", [], wanted);
  expect([taken.code, taken.output]).toEqual([1, expect.stringContaining(`\nPort ${wanted.PORT} is taken`)]);
  squatter.close();

  const none = await command("dev", [], { ...wanted, PORT: "http" });
  expect([none.code, none.output]).toEqual([1, expect.stringContaining("\nPORT must be a number")]);

  const file = join(await newFolder(), "a file");
  await writeFile(file, "");
  const unwritable = await command("dev", [], { ...wanted, STATE_DIR: join(file, "state") });
  expect([unwritable.code, unwritable.output]).toEqual([1, expect.stringContaining("cannot be written")]);
});

it("tells what commands there are", async () => {
  expect(await startCommand("nonsense")).toMatchObject({ code: 2, output: expect.stringContaining("npm run demo") });
});
