import { spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePorts } from "../../local/ports.ts";
import { root } from "../../local/processes.ts";
import { ownStack } from "./own-stack.ts";
import { ACCOUNT, type Fault, Platform } from "./platform.ts";
import { isFull } from "./scale.ts";

/** `npm run deploy` with the real wrangler, against a stand-in of the platform's API. What it deploys is checked on a local stack. */

const stack = ownStack();
const folders: string[] = [];
let platform = new Platform();
let deployments = "";

beforeEach(async () => {
  platform = new Platform();
  await platform.start();
  // Beside the sources: a configuration says where they are from its own folder.
  deployments = await mkdtemp(join(root, "deployments-test-"));
  folders.push(deployments);
});
afterEach(() => platform.stop());
afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const SECRETS = {
  PROCESSOR_KEY_LIVE: "rk_live_very_private_1",
  PROCESSOR_KEY_TEST: "rk_test_very_private_2",
  PROCESSOR_EVENT_SECRET_LIVE: "whsec_very_private_3",
  PROCESSOR_EVENT_SECRET_TEST: "whsec_very_private_4",
  BANK_TERMINALS: '{"live":{},"test":{}}',
};

async function fileWith(text: string, mode = 0o600): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "partner-payments-deploy-test-"));
  folders.push(folder);
  const file = join(folder, "secrets");
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

/** Runs the command without a person to ask. */
const deploy = (args: readonly string[], env: NodeJS.ProcessEnv = {}) => command("deploy", args, env);

async function command(
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, "cli/start.mjs"), name, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      CLOUDFLARE_API_BASE_URL: platform.url,
      CLOUDFLARE_API_TOKEN: "a-token",
      DEPLOYMENTS_DIR: deployments.slice(root.length + 1),
      OPS_TOKEN: "ops-local",
      ...env,
    },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => (output += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, output };
}

const hosts = ["--api-host", "api.shop.example", "--short-link-host", "pay.shop.example", "--region", "weur"];
const complete = async () => [...hosts, "--secrets", await fileWith(JSON.stringify(SECRETS)), "--check-url", stack.edge];
const made = () => ({
  databases: [...platform.databases.values()].map(({ name }) => name),
  namespaces: [...platform.namespaces.values()],
  buckets: [...platform.buckets],
  queues: [...platform.queues.values()].map(({ name }) => name),
});
const ALL = (name: string) => ({
  databases: [`${name}-directory`, `${name}-cell-1`],
  namespaces: [`${name}-short-links`],
  buckets: [`${name}-snapshots`],
  queues: [`${name}-deliveries`, `${name}-deliveries-dead`, `${name}-processor-events`, `${name}-processor-events-dead`],
});

function expectDeployed(name: string): void {
  expect(made()).toEqual(ALL(name));
  for (const { name: database, region, sql } of platform.databases.values()) {
    expect(region).toBe("weur");
    const tables = sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    expect(tables.length, database).toBeGreaterThan(10);
    expect(sql.prepare("SELECT name FROM d1_migrations").all().length).toBeGreaterThan(0);
  }
  const script = platform.scripts.get(name) ?? expect.fail("nothing was deployed");
  expect([...script.secrets].toSorted()).toEqual([...Object.keys(SECRETS), "OPS_TOKEN", "SECRET_ENCRYPTION_KEYS"].toSorted());
  expect(script.crons).toEqual(["* * * * *"]);
  const consumers = [...platform.queues.values()].filter(({ consumers: all }) => all.length > 0);
  expect(consumers.map(({ name: queue, consumers: all }) => [queue, all.length])).toEqual([
    [`${name}-deliveries`, 1],
    [`${name}-processor-events`, 1],
  ]);
}

describe("npm run deploy", () => {
  it("goes from nothing to the smoke check, also where it is cut off on the way, and makes nothing twice", async () => {
    platform.failOnceEach("lost", /schedules/);
    const cut = await deploy(await complete());
    expect([cut.code, cut.output]).toEqual([1, expect.stringMatching(/failed: /)]);
    // Nothing has to be said again, but for the secrets: only the platform keeps them, and it may not have them yet.
    const first = await deploy(["--secrets", await fileWith(JSON.stringify(SECRETS)), "--check-url", stack.edge]);
    expect([first.code, first.output]).toEqual([0, expect.stringContaining("ok       the short link leads to the checkout")]);
    expect(first.output).toContain("found the D1 database partner-payments-directory");
    expectDeployed("partner-payments");
    expect([...platform.domains]).toEqual([
      ["api.shop.example", "partner-payments"],
      ["pay.shop.example", "partner-payments"],
    ]);
    // What remains is said with exact names.
    expect(first.output).toContain("https://api.shop.example/ingest/processor/live");
    expect(first.output).toContain("snapshot");

    const files = (await readdir(deployments)).filter((file) => file !== ".wrangler");
    expect(files.toSorted()).toEqual(["partner-payments.json", "partner-payments.secrets.json", "partner-payments.wrangler.json"]);
    const secretsFile = join(deployments, "partner-payments.secrets.json");
    expect((await stat(secretsFile)).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(await readFile(secretsFile, "utf8"));
    expect(Object.keys(kept)).toEqual(["OPS_TOKEN", "SECRET_ENCRYPTION_KEYS"]);
    // No secret is in an output, in the record or in wrangler's configuration.
    const shown = [
      first.output,
      ...(await Promise.all(
        files.filter((file) => file !== "partner-payments.secrets.json").map((file) => readFile(join(deployments, file), "utf8")),
      )),
    ].join();
    for (const secret of ["very_private", kept.OPS_TOKEN, JSON.parse(kept.SECRET_ENCRYPTION_KEYS).keys.k1])
      expect(shown).not.toContain(secret);
    expect(JSON.parse(await readFile(join(deployments, "partner-payments.json"), "utf8"))).toMatchObject({
      account_id: ACCOUNT,
      api_host: "api.shop.example",
      resources: { DIRECTORY: expect.any(String), CELL_1: expect.any(String), SHORT_LINKS: expect.any(String) },
    });
  });

  it.runIf(isFull)("asks for nothing again, and makes a new version alone", async () => {
    expect((await deploy(await complete())).code).toBe(0);
    const second = await deploy(["--check-url", stack.edge]);
    expect([second.code, second.output]).toEqual([0, expect.stringContaining("found the D1 database partner-payments-directory")]);
    expectDeployed("partner-payments");
    expect(platform.scripts.get("partner-payments")?.versions).toHaveLength(2);
  });

  it.runIf(isFull)("makes a second deployment that shares nothing with the first", async () => {
    expect((await deploy(await complete())).code).toBe(0);
    const staging = await deploy([
      ...(await complete()),
      "--name",
      "staging",
      "--api-host",
      "api.staging.example",
      "--short-link-host",
      "pay.staging.example",
    ]);
    expect(staging.code).toBe(0);
    const numbersOf = async (name: string) => {
      const { ratelimits, vars } = JSON.parse(await readFile(join(deployments, `${name}.wrangler.json`), "utf8"));
      return { api: vars.API_ORIGIN, counters: ratelimits.map(({ namespace_id }: { namespace_id: string }) => namespace_id) };
    };
    expect(made().databases).toEqual([...ALL("partner-payments").databases, ...ALL("staging").databases]);
    const [one, other] = [await numbersOf("partner-payments"), await numbersOf("staging")];
    expect([one.api, other.api]).toEqual(["https://api.shop.example", "https://api.staging.example"]);
    expect(one.counters.filter((counter: string) => other.counters.includes(counter))).toEqual([]);
  });

  it.runIf(isFull).each<Fault>(["refused", "lost"])(
    "is run again after any call that was %s, and ends with everything once",
    async (fault) => {
      const args = await complete();
      platform.failOnceEach(fault, /./);
      let broken = 0;
      for (;;) {
        const { code, output } = await deploy(args);
        const wasBroken = platform.hasFailed();
        // wrangler makes some calls again by itself: then the run ends well.
        const said = code === 0 ? expect.stringContaining("ok       the key is revoked") : expect.stringMatching(/failed: /);
        expect([wasBroken ? code : 0, output]).toEqual([code === 0 ? 0 : 1, said]);
        if (!wasBroken) break;
        broken += 1;
      }
      expect(broken).toBeGreaterThanOrEqual(14);
      expectDeployed("partner-payments");
    },
  );

  it.runIf(isFull)("shows a part of the requests to a new version, beside the one before", async () => {
    const none = await deploy([...(await complete()), "--gradual", "10"]);
    expect([none.code, none.output]).toEqual([1, expect.stringContaining("without --gradual first")]);
    expect((await deploy(await complete())).code).toBe(0);
    const [before] = platform.scripts.get("partner-payments")?.versions ?? [];
    const gradual = await deploy(["--gradual", "10", "--check-url", stack.edge]);
    expect([gradual.code, gradual.output]).toEqual([0, expect.stringContaining("10 per cent")]);
    const { versions = [], deployments: shares = [] } = platform.scripts.get("partner-payments") ?? {};
    expect(shares).toEqual(
      expect.arrayContaining([
        { version_id: versions.at(-1), percentage: 10 },
        { version_id: before, percentage: 90 },
      ]),
    );
  });
});

describe("npm run deploy refuses, and changes nothing:", () => {
  const changes = () => platform.calls.filter(({ method }) => method !== "GET");
  const refused = async (args: readonly string[], says: string, env: NodeJS.ProcessEnv = {}) => {
    const { code, output } = await deploy(args, env);
    expect([code, output]).toEqual([1, expect.stringContaining(says)]);
    expect(changes()).toEqual([]);
    return output;
  };

  it("nobody who is logged in", async () => {
    platform.isLoggedIn = false;
    await refused(hosts, "npx wrangler login");
  });

  it("an account on the free plan", async () => {
    platform.plan = "workers_free";
    await refused(await complete(), "Workers Paid");
  });

  it("what is not known, all at once", async () => {
    const output = await refused([], "This is missing");
    for (const option of ["--api-host", "--short-link-host", "--region"]) expect(output).toContain(option);
    const secrets = await refused(hosts, "This is missing");
    for (const name of Object.keys(SECRETS)) expect(secrets).toContain(name);
    expect(secrets).toContain("https://api.shop.example/ingest/processor/live");
  });

  it.each([
    ["that others can read", JSON.stringify(SECRETS), 0o644, "chmod 600"],
    ["with a secret that there is not", JSON.stringify({ ...SECRETS, PROCESSOR_KEY: "x" }), 0o600, "There is no secret PROCESSOR_KEY"],
    [
      "with a key of the other environment",
      JSON.stringify({ ...SECRETS, PROCESSOR_KEY_LIVE: "sk_test_very_private" }),
      0o600,
      "PROCESSOR_KEY_LIVE",
    ],
    ["with a local secret", JSON.stringify({ ...SECRETS, PROCESSOR_KEY_LIVE: "sk_live_sandbox" }), 0o600, "local use only"],
    ["that is no JSON", '{"A":', 0o600, "cannot be read as JSON"],
  ])("a file of secrets %s", async (_what, text, mode, says) => {
    const output = await refused([...hosts, "--secrets", await fileWith(text, mode)], says);
    expect(output).not.toContain("very_private");
  });

  it("new encryption keys for databases that were encrypted with others", async () => {
    const record = { name: "partner-payments", account_id: ACCOUNT, api_host: "api.shop.example", short_link_host: "pay.shop.example" };
    const known = { ...record, region: "weur", resources: { DIRECTORY: crypto.randomUUID() }, vars: {} };
    await writeFile(join(deployments, "partner-payments.json"), JSON.stringify(known));
    await refused(await complete(), "Give it by --secrets");
  });

  it("hosts that lead to another Worker, unless they are meant to be replaced", async () => {
    platform.domains.set("pay.shop.example", "another-worker");
    await refused(await complete(), "the Worker another-worker");
    // Nor is such a host noted, or the next run would take it for ours.
    expect(await readdir(deployments)).toEqual([]);
  });

  it("a name, a host or a share that cannot be", async () => {
    await refused(["--name", "My Shop"], "lower case letters");
    await refused([...hosts.slice(2), "--api-host", "https://api.shop.example"], "host name");
    await refused([...hosts, "--gradual", "100"], "less than 100");
    await refused([...hosts, "--account", "f".repeat(32)], "may not use the account");
  });

  it("nothing with --dry-run, and shows everything without an account", async () => {
    platform.isLoggedIn = false;
    const { code, output } = await deploy(["--dry-run"]);
    expect(code).toBe(0);
    for (const name of Object.values(ALL("partner-payments")).flat()) expect(output).toContain(name);
    expect(platform.calls).toEqual([]);
    expect(await readdir(deployments)).toEqual([]);
  });
});

describe("npm run deploy -- --cells", () => {
  it("makes further cells where they are wanted, migrates them, and never takes one away", async () => {
    platform.isLoggedIn = false;
    const plan = await deploy(["--dry-run", "--cells", "3", "--region", "weur", "--cell-region", "enam"]);
    expect(plan.code).toBe(0);
    expect(plan.output).toContain("- D1 database partner-payments-cell-1 in weur");
    for (const number of [2, 3]) expect(plan.output).toContain(`- D1 database partner-payments-cell-${number} in enam`);
    expect(plan.output).toContain('"CELL_REGIONS": "weur,enam,enam"');
    expect(plan.output).toMatch(/"binding": "CELL_3"/);
    platform.isLoggedIn = true;

    const done = await deploy([...(await complete()), "--cells", "2", "--cell-region", "enam"]);
    expect([done.code, done.output]).toEqual([0, expect.stringContaining("migrated partner-payments-cell-2")]);
    const regions = [...platform.databases.values()].map(({ name, region }) => [name, region]);
    expect(regions).toEqual([
      ["partner-payments-directory", "weur"],
      ["partner-payments-cell-1", "weur"],
      ["partner-payments-cell-2", "enam"],
    ]);
    const [, first, second] = [...platform.databases.values()].map(({ sql }) => sql.prepare("SELECT name FROM d1_migrations").all());
    expect(second).toEqual(first);
    const { further_cells } = JSON.parse(await readFile(join(deployments, "partner-payments.json"), "utf8"));
    expect(further_cells).toEqual(["enam"]);
    const refused = async (args: readonly string[], why: string) => {
      const { code, output } = await deploy(args);
      expect([code, output]).toEqual([1, expect.stringContaining(why)]);
    };
    await refused(["--cells", "1"], "from 2, as many as there are");
    await refused(["--cells", "3", "--region", "enam"], "The databases are in weur, and stay there");
    await refused(["--cell-region", "oc"], "give both");
    await refused(["--cells", "3", "--gradual", "10"], "without --gradual first");
  });
});

describe("npm run doctor", () => {
  it("says that all is well, or what is wrong and what to do", async () => {
    const well = await command("doctor", ["--url", stack.edge]);
    expect([well.code, well.output]).toEqual([0, expect.stringContaining("processor test events")]);
    expect(well.output).toContain("npm run ops -- products waiting");
    const json = await command("doctor", ["--url", stack.edge, "--json"]);
    expect(JSON.parse(json.output).checks.length).toBeGreaterThan(20);

    const stranger = await command("doctor", ["--url", stack.edge], { OPS_TOKEN: "guessed" });
    expect([stranger.code, stranger.output]).toEqual([1, expect.stringContaining("Set OPS_TOKEN")]);
    const [port] = await freePorts(1);
    const nobody = await command("doctor", ["--url", `http://localhost:${port}`]);
    expect([nobody.code, nobody.output]).toEqual([1, expect.stringContaining("cannot be reached")]);
    const nonsense = await command("doctor", ["--url", "nonsense"]);
    expect([nonsense.code, nonsense.output]).toEqual([1, expect.stringContaining("no address")]);
  });
});

describe("npm run smoke", () => {
  it("leaves no key and no link that works, also where a step does not hold", async () => {
    expect((await command("smoke", ["--url", stack.edge])).code).toBe(0);
    const operator = { headers: { Authorization: "Bearer ops-local" } };
    const keys: any = await (await fetch(`${stack.edge}/ops/partners/smoke-test/keys`, operator)).json();
    expect(keys.data.filter(({ revoked_at }: { revoked_at: string | null }) => revoked_at === null)).toEqual([]);
    const fault = { target: "processor", call: "payment_links.create", times: 99, kind: "http_400" };
    await fetch(`${stack.sandbox}/control/faults`, { method: "POST", body: JSON.stringify(fault) });
    const failing = await command("smoke", ["--url", stack.edge]);
    await fetch(`${stack.sandbox}/control/faults`, { method: "DELETE" });
    expect([failing.code, failing.output]).toEqual([1, expect.stringContaining("FAILED   the partner makes a payment link")]);
    expect(failing.output).toContain("ok       the key is revoked");
  });
});
