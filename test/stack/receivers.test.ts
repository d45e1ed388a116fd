import { type ChildProcess, spawn } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { freePorts } from "../../tools/local/ports.ts";
import { endGroup } from "../../tools/local/processes.ts";
import { knownAnswer } from "../known-answer.ts";
import { executedBlocks } from "./pages.ts";
import { hasRuntime } from "./runtimes.ts";

/** The programs of docs/receivers.md, as they stand there, wherever their runtime is. */

interface Language {
  readonly block: string;
  readonly runtime: readonly string[];
  readonly file: string;
  readonly command: (port: number) => readonly string[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Node: {
    block: "js",
    runtime: [process.execPath, "--version"],
    file: "receiver.mjs",
    command: () => [process.execPath, "receiver.mjs"],
  },
  Python: { block: "python", runtime: ["python3", "--version"], file: "receiver.py", command: () => ["python3", "receiver.py"] },
  PHP: {
    block: "php",
    runtime: ["php", "--version"],
    file: "receiver.php",
    command: (port) => ["php", "-S", `localhost:${port}`, "receiver.php"],
  },
  Go: { block: "go", runtime: ["go", "version"], file: "receiver.go", command: () => ["go", "run", "receiver.go"] },
};

const { secret: SECRET, body: BODY, id: ID } = knownAnswer;

const running: { readonly child: ChildProcess; readonly folder: string }[] = [];
afterEach(async () => {
  for (const { child, folder } of running.splice(0)) {
    await endGroup(child);
    await rm(folder, { recursive: true, force: true });
  }
});

/** Starts a receiver that holds two secrets. */
async function start({ block, file, command }: Language) {
  const [code = "", ...others] = await executedBlocks("docs/receivers.md", block);
  expect(others).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), "partner-payments-receiver-"));
  await writeFile(join(folder, file), code);
  const [port = 0] = await freePorts(1);
  const [program = "", ...args] = command(port);
  const env = { ...process.env, PORT: String(port), SIGNING_SECRETS: `whsec_test_old ${SECRET}`, GOTOOLCHAIN: "local", GO111MODULE: "off" };
  const child = spawn(program, args, { cwd: folder, env, detached: true, stdio: "ignore" });
  running.push({ child, folder });
  const address = `http://localhost:${port}/`;
  await expect
    .poll(() =>
      fetch(address, { method: "POST" }).then(
        ({ status }) => status,
        () => 0,
      ),
    )
    .toBeGreaterThan(0);
  return { address, inbox: join(folder, "inbox") };
}

interface Delivery {
  readonly id?: string;
  readonly body?: string;
  readonly secret?: string;
  /** Seconds from now. */
  readonly age?: number;
}

async function deliver(address: string, { id = ID, body = BODY, secret = SECRET, age = 0 }: Delivery = {}): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const hmac = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("hex");
  const headers = {
    "Content-Type": "application/json",
    "Service-Event-Id": id,
    "Service-Timestamp": timestamp,
    "Service-Signature": `v1,${"0".repeat(64)} v1,${hmac}`,
  };
  return (await fetch(address, { method: "POST", headers, body })).status;
}

describe.each(Object.entries(LANGUAGES))("the receiver in %s", (_name, language) => {
  it.runIf(hasRuntime(language.runtime))("stores what is ours once, whole, and refuses the rest", async () => {
    const { address, inbox } = await start(language);
    expect(await Promise.all([deliver(address), deliver(address), deliver(address, { secret: "whsec_test_old" })])).toEqual([
      204, 204, 204,
    ]);
    expect(await deliver(address)).toBe(204);
    expect(await readdir(inbox)).toEqual([`${ID}.json`]);
    expect(await readFile(join(inbox, `${ID}.json`), "utf8")).toBe(BODY);

    expect(await deliver(address, { id: "evt_2", secret: "whsec_test_other" })).toBe(401);
    expect(await deliver(address, { id: "evt_3", age: 301 })).toBe(401);
    expect(await deliver(address, { id: "evt_4", age: -62 })).toBe(401);
    expect(await deliver(address, { id: "../evt_5" })).toBe(401);
    expect(await deliver(address, { id: "evt_6", body: "x".repeat(1024 * 1024 + 1) }).catch(() => 413)).toBe(413);
    expect(await readdir(inbox)).toEqual([`${ID}.json`]);

    const { status } = await fetch(address, { method: "POST", body: BODY });
    expect(status).toBe(401);
  });
});
