import { execFile, spawn, spawnSync } from "node:child_process";
import { access, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fixtureKeys } from "../../sandbox/fixtures.ts";
import { LOCAL_KEY } from "../../sandbox/local-settings.ts";
import { cures } from "../../src/http/cures.ts";
import { agentTools } from "../../src/http/mcp/tools.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import { run as runOps } from "../../tools/cli/ops.ts";
import { run as runPartner } from "../../tools/cli/partner.ts";
import { root } from "../../tools/local/processes.ts";
import { startCommand } from "./command.ts";
import { ownStack } from "./own-stack.ts";
import { executedBlocks, read } from "./pages.ts";
import { isFull } from "./scale.ts";

const stack = ownStack();

describe.each([
  ["README.md", 1],
  ["docs/payment-links.md", 2],
  ["docs/first-generation.md", 3],
  ["docs/books.md", 2],
  ["docs/bank-payments.md", 1],
  ["docs/webhooks.md", 4],
  ["docs/agents.md", 1],
  ["docs/self-service.md", 2],
])("the commands of %s", (file, count) => {
  it("work as they stand", async () => {
    const blocks = await executedBlocks(file, "sh");
    expect(blocks).toHaveLength(count);
    for (const block of blocks) {
      const script = block.replaceAll("http://localhost:8787", stack.edge).replaceAll("http://localhost:8788", stack.sandbox);
      const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script]);
      const answer = JSON.parse(stdout) as { result?: { structuredContent: object } };
      // A list or an object has no `success`; a refusal always has it.
      expect({ success: true, ...(answer.result?.structuredContent ?? answer) }).toMatchObject({ success: true });
    }
  });
});

describe("the first link of docs/payment-links.md", () => {
  const PYTHON = spawnSync("python3", ["--version"]).status === 0;

  it.each([["js", ["node", "--input-type=module", "-e"]], ...(PYTHON ? [["python", ["python3", "-c"]] as const] : [])] as const)(
    "is made by its program in %s too, the same one",
    async (language, [command = "", ...options]) => {
      const [block = ""] = await executedBlocks("docs/payment-links.md", language);
      const run = () => promisify(execFile)(command, [...options, block.replaceAll("http://localhost:8787", stack.edge)]);
      const [first, second] = [JSON.parse((await run()).stdout), JSON.parse((await run()).stdout)] as { short_url: string }[];
      expect(first).toMatchObject({ success: true, short_url: expect.stringContaining("http") });
      expect(second).toMatchObject({ success: true, duplicate: true, short_url: first?.short_url });
    },
  );
});

describe("docs/test-data.md", () => {
  const KEY = "a0000000-0000-4000-8000-000000000001";
  const post = (url: string, body: object) =>
    fetch(url, { method: "POST", headers: { "X-Partner-Api-Key": KEY, "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const rowsOf = async () => (await read("docs/test-data.md")).split("\n").filter((line) => line.startsWith("| `"));

  it("has every key and every product that there is", async () => {
    const page = await read("docs/test-data.md");
    const fixtures = await read("sandbox/fixtures.ts");
    for (const [product] of fixtures.matchAll(/prod_(?:acme|globex)\w*[a-z0-9](?=")/gi)) expect(page).toContain(`\`${product}\``);
    for (const [, id] of fixtures.matchAll(/\{ id: (\d{4}),/g)) expect(page).toContain(`\`${id}\``);
    for (const { key, partnerId, permissions } of fixtureKeys) {
      expect(page).toContain(`| \`${key}\` | ${partnerId} | `);
      if (permissions.length === 1) expect(page).toContain(`| \`${key}\` | ${partnerId} | \`${permissions[0]}\` alone |`);
    }
  });

  it("says what each product that is refused is refused with", async () => {
    const refused = (await rowsOf()).flatMap((row) => [...row.matchAll(/^\| `(prod_\w+)`.*`([A-Z_]+)` \|$/g)]);
    expect(refused).toHaveLength(3);
    for (const [, product, code] of refused) {
      const items = [{ stripe_product_id: product, unit_amount: 1900, quantity: 1 }];
      const answer = await post(`${stack.edge}/create-partner-processor-cart-payment-link`, { items });
      expect([product, await answer.json()]).toEqual([product, expect.objectContaining({ error_code: code })]);
    }
  });

  it("names calls of the sandbox that there are", async () => {
    const calls = new Set([...(await read("docs/test-data.md")).matchAll(/`POST (\/[a-z/-]+)/g)].map(([, path]) => path));
    expect(calls.size).toBeGreaterThan(7);
    for (const path of calls) expect([path, (await post(`${stack.sandbox}/control${path}`, {})).status]).not.toEqual([path, 404]);
  });
});

it("the loop of docs/books.md reads all movements, whatever fits into one answer", async () => {
  const [program = ""] = await executedBlocks("docs/books.md", "js");
  const folder = await mkdtemp(join(tmpdir(), "partner-payments-reconcile-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "loop.mjs");
  // Six payments in each of two seconds, and answers of eight: the processor's moments are seconds.
  const body = JSON.stringify({ short_url: `${stack.edge}/01acmeLiveUsd1First`, balance_after_ms: 0 });
  const pay = () => fetch(`${stack.sandbox}/control/pay`, { method: "POST", body });
  const before = await movementsFound();
  await Promise.all(Array.from({ length: 6 }, pay));
  const second = Math.floor(Date.now() / 1_000);
  await expect.poll(() => Math.floor(Date.now() / 1_000)).toBeGreaterThan(second);
  await Promise.all(Array.from({ length: 6 }, pay));
  await expect.poll(movementsFound).toBe(before + 12);

  async function movementsFound(): Promise<number> {
    await writeFile(
      file,
      program
        .replaceAll("http://localhost:8787", stack.edge)
        .replace("limit: 100", "limit: 8")
        .replace(/\["2026-11-01", ".*"\]/, '["2026-01-01", "2099-12-31"]'),
    );
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    const [, count = "0"] = /live USD: (\d+) movements, \d+\.\d\d owed to you/.exec(stdout) ?? [];
    return Number(count);
  }
});

it("the README's other commands are those that CI runs, or that the tests of the stack start", async () => {
  const readme = await read("README.md");
  const commands = new Set([...readme.matchAll(/npm (?:ci|test|run [\w:]+)/g)].map(([command]) => command));
  const ci = await read(".ci/run");
  for (const command of commands) {
    if (["npm run dev", "npm run seed", "npm run ops", "npm run partner", "npm run deploy"].includes(command)) continue;
    expect(ci).toContain(command);
  }
});

describe.runIf(isFull)("a service without partners", () => {
  const empty = ownStack({ fixtures: false });

  it("gets its first partner, who sells and gets a signed event, by the commands of docs/operations.md", async () => {
    const [block = ""] = await executedBlocks("docs/operations.md", "sh");
    const script = block.replaceAll("http://localhost:8787", empty.edge).replaceAll("http://localhost:8788", empty.sandbox);
    const env = { ...process.env, OPS_BASE: empty.edge };
    const { stdout } = await promisify(execFile)("bash", ["-euo", "pipefail", "-c", script], { env, cwd: root });
    expect(stdout).toMatch(/Attempt 1: the receiver took it/);
    const inbox = await (await fetch(`${empty.sandbox}/control/inbox/shop`)).json();
    expect(inbox).toMatchObject([{ headers: { "service-signature": expect.stringMatching(/^v1,/) } }]);
  });
});

/** Runs a command in this process: to start one takes longer than most of them. The walks of full runs start them as a person does. */
async function inThisProcess(
  run: (args: readonly string[]) => Promise<number>,
  args: readonly string[],
  settings: Record<string, string | undefined>,
) {
  const [out, errors]: [string[], string[]] = [[], []];
  vi.spyOn(console, "log").mockImplementation((line: unknown) => void out.push(String(line)));
  vi.spyOn(console, "error").mockImplementation((line: unknown) => void errors.push(String(line)));
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  try {
    const code = await run(args);
    return { code, stdout: out.join("\n"), stderr: errors.join("\n") };
  } finally {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  }
}

describe("npm run partner", () => {
  const settings = () => ({ PARTNER_API_BASE: stack.edge, PARTNER_API_KEY: undefined });
  const partner = (...args: string[]) => startCommand("partner", args, settings());

  it.runIf(isFull)("forwards a test event to a program on this machine, once more when it is sent again, and ends by Ctrl-C", async () => {
    const registered = await fetch(`${stack.edge}/register-partner-notifications-webhook`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Partner-Api-Key": LOCAL_KEY },
      body: JSON.stringify({ test_url: `${stack.sandbox}/inbox/listened` }),
    });
    expect(await registered.json()).toMatchObject({ success: true });
    const taken: string[] = [];
    const attempts: string[] = [];
    const receiver = createServer((request, response) => {
      taken.push(String(request.headers["service-event-type"]));
      attempts.push(`${String(request.headers["service-event-id"])} ${String(request.headers["service-delivery-attempt"])}`);
      response.end();
    }).listen(0);
    const { port } = receiver.address() as AddressInfo;
    const program = [join(root, "tools/cli/start.mjs"), "partner", "listen", "--forward", `http://localhost:${port}/hook`];
    const child = spawn(process.execPath, program, { cwd: root, env: { ...process.env, PARTNER_API_BASE: stack.edge } });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    try {
      await vi.waitUntil(() => said.includes("Forwarding events"), { timeout: 60_000 });
      expect((await partner("trigger", "refund.succeeded")).output).toContain("Processor.refund.succeeded evt_");
      const asJson = await partner("trigger", "refund.succeeded", "--json");
      expect(JSON.parse(asJson.output)).toMatchObject({ event: expect.stringMatching(/^evt_/), attempt: { status: 200 } });
      await vi.waitUntil(() => taken.includes("Processor.refund.succeeded"), { timeout: 60_000 });
      await vi.waitUntil(() => said.includes("200 in"), { timeout: 60_000 });
      const { event } = JSON.parse(asJson.output);
      await vi.waitUntil(() => attempts.includes(`${event} 1`), { timeout: 60_000 });
      expect((await partner("deliveries", "resend", event)).code).toBe(0);
      await vi.waitUntil(() => attempts.includes(`${event} 2`), { timeout: 60_000 });
    } finally {
      child.kill("SIGINT");
      receiver.close();
    }
    expect(await ended).toBe(0);
  });

  it("says what is wrong: an unknown event, a refused key, an address that is none", async () => {
    const here = (args: string[], more: Record<string, string> = {}) =>
      inThisProcess(runPartner, args, { PARTNER_API_BASE: stack.edge, PARTNER_API_KEY: undefined, ...more });
    expect(await here(["trigger", "payment.lost"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no event payment.lost"),
    });
    expect(await here(["webhooks", "show"], { PARTNER_API_KEY: "none" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("The API key is not valid"),
    });
    expect(await here(["listen", "--forward", "localhost"])).toMatchObject({ code: 2 });
    expect(await here(["figures", "--days", "7", "--json"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"environment": "live"'),
    });
  });
});

describe("npm run ops", () => {
  const ops = (args: string[], settings: Record<string, string> = {}) => inThisProcess(runOps, args, { OPS_BASE: stack.edge, ...settings });

  it("shows what in the ledger waits for a person", async () => {
    const { code, stdout } = await ops(["ledger", "show", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      unattributed: { count: 0 },
      parked: { count: 0 },
      reconciliations: expect.any(Array),
    });
  });

  it("has something looked at anew, and notes by whom", async () => {
    const paid = await fetch(`${stack.sandbox}/control/pay`, {
      method: "POST",
      body: JSON.stringify({ payment_link_id: "plink_acmeLiveUsd1First", balance_after_ms: 0 }),
    });
    const { charge } = (await paid.json()) as { charge: string };
    const { code, stdout } = await ops(["ledger", "refresh", "live", charge, "--json"], { OPERATOR: "Анна" });
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { success: true, found: [{ partner_id: "acme" }] }]);
  });

  it("shows the bank's notifications, and asks it about an order", async () => {
    const nothing = await ops(["bank", "show", "--json"]);
    expect([nothing.code, JSON.parse(nothing.stdout)]).toEqual([0, { not_applied: { count: 0, newest: [] } }]);
    const opened = await fetch(`${stack.edge}/create-partner-bank-cart-payment`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Partner-Api-Key": "a0000000-0000-4000-8000-000000000001" },
      body: JSON.stringify({ items: [{ product_id: 1001, quantity: 3 }], customer_phone: "+79031234567", environment: "test" }),
    });
    const { order_id, payment_url, sbp_url } = (await opened.json()) as Record<string, string>;
    for (const page of [payment_url, sbp_url]) {
      const shown = await fetch(page ?? "");
      expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining("1500.00 RUB")]);
    }
    await fetch(`${stack.sandbox}/control/bank/pay`, { method: "POST", body: JSON.stringify({ order_id, silent: true }) });
    const looked = await ops(["bank-orders", "refresh", order_id ?? "", "--json"]);
    expect([looked.code, JSON.parse(looked.stdout)]).toMatchObject([0, { success: true, payment: { status: "CONFIRMED" } }]);
    expect(JSON.parse((await ops(["bank-orders", "show", order_id ?? "", "--json"])).stdout)).toMatchObject({
      payment: { order_id },
      notifications: [],
    });
    expect(await ops(["bank-notifications", "dismiss", "none", "ours"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no open notification"),
    });
    expect(await ops(["bank-orders", "show", "none"])).toMatchObject({ code: 1, stderr: expect.stringContaining("no such order") });
  });

  it("takes numbers, lists, flags and files as the calls want them, and prints tables for people", async () => {
    const product = [
      "products",
      "create",
      "acme",
      "ruble",
      "--name",
      "Курс",
      "--unit_amount",
      "70000",
      "--terminal",
      "first",
      "--vat",
      "none",
    ];
    const made = await ops([...product, "--id", "7701"]);
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^id: 7701$/m)]);
    const key = await ops(["keys", "issue", "acme", "tried", "--permissions", "product_create", "payment_read", "--json"]);
    expect(JSON.parse(key.stdout)).toMatchObject({ permissions: ["payment_read", "product_create"] });
    expect((await ops(["keys", "list", "acme"])).stdout).toMatch(/^key_id +employee_id .*\n\S+ /);
    const approved = await ops(["products", "approve", "card", "prod_acmeDraft", "--first_link", "false", "--json"]);
    expect(JSON.parse(approved.stdout)).toMatchObject({ product: { moderation: "approved" }, first_link: null });
    const folder = await mkdtemp(join(tmpdir(), "partner-payments-import-"));
    const file = join(folder, "products.csv");
    await writeFile(file, "partner_id,kind,id,name,unit_amount,terminal,vat\nacme,ruble,7702,Imported,100,first,none\n");
    const checked = await ops(["products", "import", file, "--dry_run", "--json"]);
    expect(JSON.parse(checked.stdout)).toMatchObject({ imported: false, products: 1, faults: [] });
    expect(JSON.parse((await ops(["products", "import", file, "--json"])).stdout)).toMatchObject({ imported: true });
    expect(await ops(["products", "import", join(folder, "none.csv")])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("cannot be read"),
    });
    await rm(folder, { recursive: true });
  });

  it("takes roles away by an option without values, and says in a line what is missing", async () => {
    const person = "documentation@example.com";
    await ops(["operators", "set", person, "--roles", "support"]);
    expect((await ops(["operators", "set", person, "--roles", "--json"])).stdout).toContain('"roles": []');
    const missing = await ops(["partners", "create", "no-name-given", "--name"]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.not.stringContaining("YError")]);
    expect((await ops(["products", "change", "--help"])).stdout).toMatch(/--currency .*USD.*RUB/);
  });

  it("asks before what cannot be undone, and does nothing without an answer", async () => {
    const { key_id } = JSON.parse((await ops(["keys", "issue", "acme", "to revoke", "--permissions", "payment_read", "--json"])).stdout);
    expect(await ops(["keys", "revoke", key_id])).toMatchObject({ code: 1, stderr: expect.stringContaining("--yes") });
    const { data } = JSON.parse((await ops(["keys", "list", "acme", "--json"])).stdout);
    expect(data).toContainEqual(expect.objectContaining({ key_id, revoked_at: null }));
    expect((await ops(["keys", "revoke", key_id, "--yes"])).code).toBe(0);
  });

  it("says what is wrong in a line, with an exit code", async () => {
    expect(await ops(["ledger", "refresh", "live", "ch_unknown"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No such charge"),
    });
    expect(await ops(["ledger", "refresh", "live", "plink_1"])).toMatchObject({ code: 1, stderr: expect.stringContaining("pi_") });
    expect(await ops(["parked-payments", "retry", "pi_none"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Nothing with this id is parked"),
    });
    expect(await ops(["ledger", "show"], { OPS_TOKEN: "wrong" })).toMatchObject({ code: 1, stderr: expect.stringContaining("OPS_TOKEN") });
    expect(await ops(["ledger", "show"], { OPS_BASE: "http://localhost:1" })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("npm run dev"),
    });
    expect(await ops(["ledger", "show"], { OPS_BASE: "nonsense" })).toMatchObject({ code: 1, stderr: expect.stringContaining("nonsense") });
    expect(await ops(["explode"])).toMatchObject({ code: 2, stderr: "Unknown argument: explode. Help: npm run ops -- --help" });
    expect(await ops(["deliveries", "resend"])).toMatchObject({ code: 2, stderr: expect.stringContaining("deliveries resend <event>") });
    expect(await ops(["deliveries", "resend", "evt_1", "evt_2"])).toMatchObject({ code: 2 });
    expect(await ops([])).toMatchObject({ code: 0, stdout: expect.stringContaining("npm run ops -- ledger") });
  });
});

it("every link between the pages leads somewhere", async () => {
  const docs = await readdir(join(root, "docs"), { recursive: true });
  const pages = [
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    ...docs.filter((path) => path.endsWith(".md")).map((page) => `docs/${page}`),
  ];
  for (const page of pages) {
    const links = [...(await read(page)).matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target]) => target ?? "");
    for (const target of links) await expect(access(join(root, page, "..", target)), `${page}: ${target}`).resolves.toBeUndefined();
  }
});

it("every event that there is has its row in the events' table, and no other", async () => {
  const rows = [...(await read("docs/events.md")).matchAll(/^\| `((?:Processor|Bank|Partner)\.[\w.]+)` \|/gm)].map(([, name]) => name);
  expect(rows.toSorted()).toEqual(allEvents.map(({ name }) => name).toSorted());
});

it("every event is shown by the example that the API description has", async () => {
  const page = await read("docs/events.md");
  const shown = [...page.matchAll(/^### ([\w.]+)\n\n```json\n(.*?)```/gms)].map(
    ([, name, json]) => [name, JSON.parse(json ?? "")] as const,
  );
  expect(shown).toEqual(allEvents.map(({ name, example }) => [name, example]));
});

it("agents get with each failure the cure that the page of errors has", async () => {
  const plain = (words = "") => words.replaceAll(/[*`]/g, "").trim().split(/\s+/).join(" ");
  const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  const sections = [...(await read("docs/errors.md")).matchAll(/^### `(\w+)`\n(.*?)(?=^##|(?![\s\S]))/gms)];
  const shown = sections.map(([, code = "", section = ""]) => {
    const [, cure, repeat = ""] = /\*\*Cure:\*\*(.*?)\n- \*\*Repeat:\*\*(.*)/s.exec(section) ?? [];
    return [code, { cure: sentence(plain(cure)), repeat: sentence(plain(repeat.split("\n\n")[0])) }];
  });
  const words = Object.entries(cures).map(([code, { cure, repeat }]) => [code, { cure, repeat }]);
  expect(Object.fromEntries(words)).toEqual(Object.fromEntries(shown));
});

it("both pages tell for each error what programs are told of its key: the same one, a new one, or one and then the other", async () => {
  const bold = (words: string) => [...words.matchAll(/\*\*(same|new)\*\*/g)].map(([, word]) => word).join(", then ");
  const table = (await read("docs/idempotency.md")).split("\n").filter((line) => /^\| `\w+`/.test(line));
  const guide = table.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, code]) => [code, bold(row)]));
  const page = (await read("docs/errors.md")).split(/^### /m).slice(1);
  const sections = page.map((section) => [/^`(\w+)`/.exec(section)?.[1], bold(section.split("**Repeat:**")[1] ?? "")]);
  const told = ({ repeat, repeatable }: (typeof cures)[keyof typeof cures]) => {
    if (repeatable === "new_token") return "new";
    return /new (?:token|key)/.test(repeat) ? "same, then new" : /token|key/.test(repeat) ? "same" : "";
  };
  const wanted = Object.fromEntries(Object.entries(cures).map(([code, cure]) => [code, told(cure)]));
  expect(Object.fromEntries(guide)).toEqual(wanted);
  expect(Object.fromEntries(sections)).toEqual(wanted);
});

it("every tool has its row in the agents' table, with its permission", async () => {
  const rows = [...(await read("docs/agents.md")).matchAll(/^\| `([\w-]+)` \| `(\w+)` \|/gm)].map(
    ([, name, permission]) => `${name} ${permission}`,
  );
  const tools = agentTools.map(({ operation: { name, permission } }) => `${name} ${permission ?? "any"}`);
  expect(rows.toSorted()).toEqual(tools.toSorted());
});

it("every dependency has its reason written down, and every reason its dependency", async () => {
  const manifests = await Promise.all(
    ["", "dashboard/", "tools/site/", "tools/checkers/", "tools/newer-node/", "test/clients/"].map((folder) =>
      read(`${folder}package.json`),
    ),
  );
  const listed = manifests.flatMap((text) => {
    const manifest = JSON.parse(text) as Record<string, Record<string, string>>;
    return ["dependencies", "devDependencies", "optionalDependencies"].flatMap((kind) => Object.entries(manifest[kind] ?? {}));
  });
  const present = new Set(listed.map(([name]) => name));
  const rows = (await read("docs/dependencies.md")).split("\n").filter((line) => line.startsWith("| `"));
  const explained = rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? ""));
  expect([...new Set(explained)].toSorted()).toEqual([...present].toSorted());
  const published = listed.filter(([, version]) => !version.startsWith("file:"));
  for (const [, version] of published) expect(version).toMatch(/^(npm:.+@)?\d+\.\d+\.\d+(-(alpha\.\d+|beta))?$/);
});
