import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { differencesOf } from "../../tools/cli/verify/differences.ts";
import { freePorts } from "../../tools/local/ports.ts";
import { type SandboxServer, startSandbox } from "../../tools/local/sandbox-server.ts";
import { command, type Settings, startCommand } from "./command.ts";
import { isFull } from "./scale.ts";

/** The commands that compare a real test environment with the sandbox, on a sandbox that stands for the real one. */

const folder = mkdtempSync(join(tmpdir(), "verify-"));
let sandbox: SandboxServer;
let base = "";

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  base = `http://localhost:${port}`;
  sandbox = await startSandbox({ port, edge: base, stateFile: join(folder, "sandbox.json") });
});
afterAll(async () => {
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The settings of the machine, which are those of the local stack, are taken away. */
const NONE = {
  PROCESSOR_KEY_TEST: undefined,
  PROCESSOR_API_BASE: undefined,
  BANK_TERMINAL_KEY: undefined,
  BANK_TERMINAL_PASSWORD: undefined,
  BANK_TAXATION: undefined,
  BANK_API_BASE: undefined,
};

/** In a process of its own: what the sandbox of this process fetches meanwhile would be recorded as well. */
const verify = (what: "processor" | "bank", settings: Settings) => startCommand(`verify:${what}`, [], { ...NONE, ...settings });
const refused = (what: "processor" | "bank", settings: Settings) => command(`verify:${what}`, [], { ...NONE, ...settings });

/** Answers as the sandbox does, with a field more in coupons. */
async function passOn({ method = "GET", url = "", headers }: IncomingMessage, body: Buffer, response: ServerResponse): Promise<void> {
  const passed = ["authorization", "content-type", "idempotency-key", "stripe-version"].flatMap((name) => {
    const value = headers[name];
    return typeof value === "string" ? [[name, value]] : [];
  });
  const answer = await fetch(`${base}${url}`, { method, headers: Object.fromEntries(passed), ...(method === "GET" ? {} : { body }) });
  const text = (await answer.text()).replace('"object":"coupon"', '"object":"coupon","colour":"green"');
  response.writeHead(answer.status, { "Content-Type": "application/json" }).end(text);
}

const held = async (type: string) =>
  ((await (await fetch(`${base}/control/objects?type=${type}`)).json()) as { data: Record<string, unknown>[] }).data;

describe("verify:processor", () => {
  const key = { PROCESSOR_KEY_TEST: "sk_test_sandbox" };

  it("walks every step, finds no difference, and leaves nothing active", async () => {
    const { code, output } = await verify("processor", { ...key, PROCESSOR_API_BASE: base });
    expect([code, output]).toEqual([0, expect.stringContaining("answers compared with the sandbox's, 0 differences.")]);
    expect(await held("coupons")).toEqual([]);
    for (const kind of ["payment_links", "promotion_codes", "products"]) {
      const made = await held(kind);
      expect([kind, made.length > 0, made.filter(({ active }) => active === true)]).toEqual([kind, true, []]);
    }
    expect((await held("subscriptions")).map(({ status }) => status)).toEqual(["canceled"]);
  });

  it.runIf(isFull)("prints what a processor has that the sandbox does not", async () => {
    const other = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => void passOn(request, Buffer.concat(chunks), response));
    });
    const [port = 0] = await freePorts(1);
    await new Promise<void>((resolve) => other.listen(port, resolve));
    const { code, output } = await verify("processor", { ...key, PROCESSOR_API_BASE: `http://localhost:${port}` });
    other.close();
    expect([code, output]).toEqual([0, expect.stringContaining("POST /v1/coupons: colour: there only")]);
  });

  it.each([
    ["no key", {}, "Set PROCESSOR_KEY_TEST"],
    ["a live key", { PROCESSOR_KEY_TEST: "sk_live_abc" }, "no test key"],
  ])("refuses %s", async (_what, env, message) => {
    const { code, output } = await refused("processor", { ...env, PROCESSOR_API_BASE: base });
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
  });

  it.runIf(isFull)("says which step failed and why, and cleans up", async () => {
    await fetch(`${base}/control/faults`, {
      method: "POST",
      body: JSON.stringify({ target: "processor", call: "coupons.create", times: 1, kind: "http_400" }),
    });
    const { code, output } = await verify("processor", { ...key, PROCESSOR_API_BASE: base });
    expect([code, output]).toEqual([1, expect.stringContaining("This step failed: upstream_failed (The request was refused")]);
    expect((await held("payment_links")).filter(({ active }) => active === true)).toEqual([]);
  });
});

describe("verify:bank", () => {
  const terminal = { BANK_TERMINAL_KEY: "SandboxFirstDEMO", BANK_TERMINAL_PASSWORD: "sandbox-password-SandboxFirstDEMO" };

  it.runIf(isFull)("walks every step, finds no difference, and leaves nothing to pay", async () => {
    const { code, output } = await verify("bank", { ...terminal, BANK_API_BASE: base });
    expect([code, output]).toEqual([0, expect.stringContaining("6 answers compared with the sandbox's, 0 differences.")]);
    expect((await held("bank_payments")).map(({ status }) => status)).toEqual(["CANCELED"]);
  });

  it.each([
    ["nothing", {}, "Set BANK_TERMINAL_KEY"],
    ["a live terminal", { ...terminal, BANK_TERMINAL_KEY: "SandboxFirst" }, "no test terminal"],
  ])("refuses %s", async (_what, env, message) => {
    const { code, output } = await refused("bank", { ...env, BANK_API_BASE: base });
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe("two answers", () => {
  it.each<[string, unknown, unknown, string[]]>([
    ["of one shape", { a: 1, b: [{ c: "x" }] }, { a: 2, b: [{ c: "y" }, { c: "z" }] }, []],
    ["one null", { a: null }, { a: { b: 1 } }, []],
    ["an empty list", { a: [] }, { a: [1] }, []],
    ["other keys of metadata", { metadata: { a: "1" } }, { metadata: { b: "1" } }, []],
    ["a field more", { a: { b: 1 } }, { a: {} }, ["a.b: there only"]],
    ["a field less", { a: [{}] }, { a: [{ b: 1 }] }, ["a[0].b: in the sandbox only"]],
    ["another kind", { a: "1" }, { a: 1 }, ["a: string there, number in the sandbox"]],
    ["no answer", undefined, {}, ["the answer: undefined there, object in the sandbox"]],
  ])("%s", (_what, target, ours, wanted) => {
    expect(differencesOf(target, ours)).toEqual(wanted);
  });
});
