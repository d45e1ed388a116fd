import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { sentEventTypes } from "../../src/ledger/sources.ts";
import { API_VERSION } from "../../src/processor/version.ts";
import { makeEventDestinations } from "../../tools/cli/deploy/event-destinations.ts";
import { readRecord } from "../../tools/cli/deploy/record.ts";
import { runWrangler } from "../../tools/cli/deploy/wrangler.ts";
import { root } from "../../tools/local/processes.ts";
import { command as runCommand, type Settings } from "./command.ts";
import { runDeployed } from "./deployed.ts";
import { ownStack } from "./own-stack.ts";
import { ACCOUNT, type Fault, Platform } from "./platform.ts";
import { isFull, someOf } from "./scale.ts";
import { sharedStack } from "./shared-stack.ts";

/** `npm run deploy` with the real wrangler, against a stand-in of the platform's API. What it deploys is checked on a local stack. */

// In full, the processor behind it fails for a while.
const stack = isFull ? ownStack() : sharedStack();
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
  for (const folder of folders) await rm(join(root, ".wrangler", "published", basename(folder)), { recursive: true, force: true });
});

const SECRETS = {
  PROCESSOR_KEY_LIVE: "rk_live_very_private_1",
  PROCESSOR_KEY_TEST: "rk_test_very_private_2",
  PROCESSOR_EVENT_SECRET_LIVE: "whsec_very_private_3_kT7vQ2mX",
  PROCESSOR_EVENT_SECRET_TEST: "whsec_very_private_4_hJ5pD0sF",
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

const deploy = (args: readonly string[]) => command("deploy", args);

const command = (name: "deploy" | "doctor" | "smoke", args: readonly string[], settings: Settings = {}) =>
  runCommand(name, args, {
    CLOUDFLARE_API_BASE_URL: platform.url,
    CLOUDFLARE_API_TOKEN: "a-token",
    DEPLOYMENTS_DIR: deployments.slice(root.length + 1),
    OPS_TOKEN: "ops-local",
    ...settings,
  });

const required = ["--api-host", "api.shop.example", "--short-link-host", "pay.shop.example", "--region", "weur"];
const hosts = [...required, "--dashboard-host", "dashboard.shop.example"];
/** What is deployed is checked on the local stack. */
const checked = () => {
  const [api, dashboard, links] = [
    `--check-url=${stack.edge}`,
    `--check-dashboard-url=${stack.edge}`,
    `--check-short-link-url=${stack.edge}`,
  ];
  // The short links of the local stack are never those that were deployed here.
  return [api, dashboard, links, "--check-seconds=5"];
};
const complete = async () => [...hosts, "--secrets", await fileWith(JSON.stringify(SECRETS)), ...checked()];
const made = () => ({
  databases: [...platform.databases.values()].map(({ name }) => name),
  namespaces: [...platform.namespaces.values()],
  buckets: [...platform.buckets],
  queues: [...platform.queues.values()].map(({ name }) => name),
});
const ALL = (name: string, cells = 1) => ({
  databases: [`${name}-directory`, ...Array.from({ length: cells }, (_, index) => `${name}-cell-${index + 1}`)],
  namespaces: [`${name}-short-links`],
  buckets: [`${name}-snapshots`],
  queues: [`${name}-deliveries`, `${name}-deliveries-dead`, `${name}-processor-events`, `${name}-processor-events-dead`],
});

/** `regions`: of the directory and each cell. */
function expectDeployed(name: string, regions = ["weur", "weur"]): void {
  expect(made()).toEqual(ALL(name, regions.length - 1));
  expect([...platform.databases.values()].map(({ region }) => region)).toEqual(regions);
  for (const { name: database, sql } of platform.databases.values()) {
    const tables = sql.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    expect(tables.length, database).toBeGreaterThan(10);
    expect(sql.prepare("SELECT name FROM d1_migrations").all().length).toBeGreaterThan(0);
  }
  const links = platform.scripts.get(`${name}-links`) ?? expect.fail("the short links were not deployed");
  expect([[...links.secrets], links.crons]).toEqual([[], []]);
  const script = platform.scripts.get(name) ?? expect.fail("nothing was deployed");
  expect([...script.secrets].toSorted()).toEqual([...Object.keys(SECRETS), "OPS_TOKEN", "SECRET_ENCRYPTION_KEYS"].toSorted());
  expect(script.crons).toEqual(["* * * * *"]);
  const consumers = [...platform.queues.values()].filter(({ consumers: all }) => all.length > 0);
  expect(consumers.map(({ name: queue, consumers: all }) => [queue, all.length])).toEqual([
    [`${name}-deliveries`, 1],
    [`${name}-processor-events`, 1],
  ]);
}

/** What a deployment keeps, says and shows once it ended well, with `output`. */
async function expectTold(output: string): Promise<void> {
  expect(output).toContain("ok       the short link leads to the checkout");
  expect(output).toContain("found the D1 database partner-payments-directory");
  expect([...platform.domains]).toEqual([
    ["pay.shop.example", "partner-payments-links"],
    ["api.shop.example", "partner-payments"],
    ["dashboard.shop.example", "partner-payments"],
  ]);
  expect(output).toContain(`${stack.edge}/dashboard is served`);
  expect(output).toContain("ok       the dashboard is served, where there is one");
  expect(output).toContain("https://api.shop.example/ops and https://dashboard.shop.example/ops");
  expect(output).toContain("sign in at https://dashboard.shop.example/dashboard");
  // What remains is said with exact names.
  expect(output).toContain("https://api.shop.example/ingest/processor/live");
  expect(output).toContain("snapshot");

  const files = (await readdir(deployments)).filter((file) => file !== ".wrangler");
  expect(files.toSorted()).toEqual([
    "partner-payments.json",
    "partner-payments.secrets.json",
    "partner-payments.wrangler.json",
    "partner-payments.wrangler.links.json",
  ]);
  const secretsFile = join(deployments, "partner-payments.secrets.json");
  expect((await stat(secretsFile)).mode & 0o777).toBe(0o600);
  const kept = JSON.parse(await readFile(secretsFile, "utf8"));
  expect(Object.keys(kept)).toEqual(["OPS_TOKEN", "SECRET_ENCRYPTION_KEYS"]);
  // No secret is in an output, in the record or in wrangler's configuration.
  const open = files.filter((file) => file !== "partner-payments.secrets.json");
  const shown = [output, ...(await Promise.all(open.map((file) => readFile(join(deployments, file), "utf8"))))].join();
  for (const secret of ["very_private", kept.OPS_TOKEN, JSON.parse(kept.SECRET_ENCRYPTION_KEYS).keys.k1])
    expect(shown).not.toContain(secret);
  expect(JSON.parse(await readFile(join(deployments, "partner-payments.json"), "utf8"))).toMatchObject({
    account_id: ACCOUNT,
    api_host: "api.shop.example",
    dashboard_host: "dashboard.shop.example",
    resources: { DIRECTORY: expect.any(String), CELL_1: expect.any(String), SHORT_LINKS: expect.any(String) },
  });
}

const destinations = async () => {
  const found = await fetch(`${stack.sandbox}/control/objects?type=webhook_endpoints`);
  return ((await found.json()) as { data: Record<string, unknown>[] }).data;
};

describe("the processor's event destinations", () => {
  /** Made and kept by this step. The test below has the whole deployment around it. */
  it.runIf(!isFull)("are made with the types and the version of the code, and their secrets are kept", async () => {
    vi.stubEnv("DEPLOYMENTS_DIR", deployments.slice(root.length + 1));
    vi.stubEnv("PROCESSOR_API_BASE", stack.sandbox);
    const record = { ...readRecord("partner-payments"), api_host: "api.shop.example" };
    const missing = ["PROCESSOR_EVENT_SECRET_LIVE", "PROCESSOR_EVENT_SECRET_TEST"];
    const said: string[] = [];
    const makeAll = () => makeEventDestinations(record, { missing, known: SECRETS }, true, (line) => said.push(line));
    try {
      const secrets = await makeAll();
      await expectDestinations(secrets);
      expect(said).toHaveLength(2);
      expect(said.join()).not.toContain("whsec");
      await expect(makeAll()).rejects.toThrow("already, and shows its secret only in its dashboard");
    } finally {
      vi.unstubAllEnvs();
    }
  });

  async function expectDestinations(secrets: Readonly<Record<string, string>>): Promise<void> {
    const found = await destinations();
    expect(found).toMatchObject(
      ["live", "test"].map((environment) => ({
        url: `https://api.shop.example/ingest/processor/${environment}`,
        livemode: environment === "live",
        api_version: API_VERSION,
        enabled_events: sentEventTypes,
      })),
    );
    const kept = JSON.parse(await readFile(join(deployments, "partner-payments.secrets.json"), "utf8"));
    const { PROCESSOR_EVENT_SECRET_LIVE: live, PROCESSOR_EVENT_SECRET_TEST: test } = secrets;
    expect([kept.PROCESSOR_EVENT_SECRET_LIVE, kept.PROCESSOR_EVENT_SECRET_TEST]).toEqual(found.map(({ secret }) => secret));
    expect([live, test]).toEqual(found.map(({ secret }) => secret));
  }

  it.runIf(isFull)("are made where that is wanted; their secrets are kept before anything else fails", async () => {
    const { PROCESSOR_EVENT_SECRET_LIVE: _live, PROCESSOR_EVENT_SECRET_TEST: _test, ...keys } = SECRETS;
    const args = async () => [...hosts, "--event-destinations", "--secrets", await fileWith(JSON.stringify(keys)), ...checked()];
    const settings = { PROCESSOR_API_BASE: stack.sandbox };
    platform.failOnceEach("lost", /d1/);
    const cut = await command("deploy", await args(), settings);
    expect([cut.code, cut.output]).toEqual([1, expect.stringContaining("made the processor's event destination")]);
    const found = await destinations();
    const kept = JSON.parse(await readFile(join(deployments, "partner-payments.secrets.json"), "utf8"));
    await expectDestinations(kept);
    for (const { secret } of found) expect(cut.output).not.toContain(secret);
    // Another run takes the secrets that are kept, and makes no second destination.
    const again = await command("deploy", await args(), settings);
    expect(again.output).not.toContain("made the processor's event destination");
    expect(again.output).toContain("PROCESSOR_EVENT_SECRET_LIVE will be set");
    expect(await destinations()).toHaveLength(2);
    // Whose secret nobody knows is not replaced.
    await rm(join(deployments, "partner-payments.secrets.json"));
    const unknown = await command("deploy", [...(await args()), "--name", "other", "--replace-hosts"], settings);
    expect([unknown.code, unknown.output]).toEqual([1, expect.stringContaining("already, and shows its secret only in its dashboard")]);
  });

  it.runIf(isFull)("are not made where nobody asks for them: their secrets are missing", async () => {
    const { PROCESSOR_EVENT_SECRET_LIVE: _live, PROCESSOR_EVENT_SECRET_TEST: _test, ...keys } = SECRETS;
    const { code, output } = await deploy([...hosts, "--secrets", await fileWith(JSON.stringify(keys))]);
    expect([code, output]).toEqual([1, expect.stringContaining("--secrets with PROCESSOR_EVENT_SECRET_LIVE")]);
  });
});

describe("npm run deploy", () => {
  it.runIf(isFull)("goes from nothing to the smoke check, also where it is cut off on the way, and makes nothing twice", async () => {
    platform.failOnceEach("lost", /schedules/);
    const cut = await deploy(await complete());
    expect([cut.code, cut.output]).toEqual([1, expect.stringMatching(/failed: /)]);
    // Nothing has to be said again, but for the secrets: only the platform keeps them, and it may not have them yet.
    const first = await deploy(["--secrets", await fileWith(JSON.stringify(SECRETS)), ...checked()]);
    expect([first.code, first.output]).toEqual([0, expect.any(String)]);
    expectDeployed("partner-payments");
    await expectTold(first.output);
  });

  it.runIf(isFull)("makes what runs: an operator signs in with the token that it made, and a partner's first event arrives", async () => {
    expect((await deploy(await complete())).code).toBe(0);
    const { edge, sandbox, operatorsToken, stop } = await runDeployed(deployments, "partner-payments");
    try {
      const send = async (path: string, body?: object, headers: object = {}) => {
        const sent = { "Content-Type": "application/json", Origin: edge, ...headers };
        const response = await fetch(`${edge}${path}`, { method: "POST", headers: sent, ...(body && { body: JSON.stringify(body) }) });
        const answer: any = await response.json();
        return { status: response.status, cookie: response.headers.get("Set-Cookie"), body: answer };
      };
      expect((await send("/ops/session", { token: localSecrets.OPS_TOKEN, name: "Maria" })).status).toBe(401);
      const signedIn = await send("/ops/session", { token: operatorsToken, name: "Maria" });
      expect([signedIn.status, signedIn.body.operator]).toEqual([201, "Maria"]);
      const Cookie = signedIn.cookie?.split(";")[0] ?? "";
      const ops = async (path: string, body: object = {}) => (await send(`/ops/${path}`, body, { Cookie })).body;
      await ops("partners", { id: "first", name: "First" });
      const course = { kind: "card", environment: "test", name: "A course", type: "one_time", currency: "USD", unit_amount: 1900 };
      const { id } = await ops("partners/first/products", course);
      const { product } = await ops(`products/card/${id}/approve`);
      const { key } = await ops("partners/first/keys", { label: "first", permissions: ["product_create", "webhook_config"] });
      const call = async (operation: string, body: object) => {
        const answer = await send(`/${operation}`, { ...body, client_token: operation }, { "X-Partner-Api-Key": key });
        expect(answer.body).toMatchObject({ success: true });
        return answer.body;
      };
      await call("register-partner-notifications-webhook", { test_url: `${sandbox}/inbox/first` });
      const items = [{ stripe_product_id: product.processor_product_id, unit_amount: 1900, quantity: 1 }];
      const { short_url } = await call("create-partner-processor-cart-payment-link", { items });
      const inbox = async (): Promise<any[]> => (await (await fetch(`${sandbox}/control/inbox/first`)).json()) as any[];
      await fetch(`${sandbox}/control/pay`, { method: "POST", body: JSON.stringify({ short_url, client_reference_id: "first-order" }) });
      await vi.waitFor(async () => expect(await inbox()).toHaveLength(1), { timeout: 60_000, interval: 500 });
      const [event] = await inbox();
      expect(event.headers).toMatchObject({
        "service-event-type": "Processor.payment.succeeded",
        "service-signature": expect.stringMatching(/^v1,/),
      });
      expect(event.body).toContain("first-order");
    } finally {
      await stop();
    }
  });

  it.runIf(isFull)("asks for nothing again, and makes a new version alone", async () => {
    expect((await deploy(await complete())).code).toBe(0);
    const second = await deploy(checked());
    expect([second.code, second.output]).toEqual([0, expect.stringContaining("found the D1 database partner-payments-directory")]);
    expectDeployed("partner-payments");
    expect(platform.scripts.get("partner-payments")?.versions).toHaveLength(2);
  });

  it.runIf(isFull)("makes a second deployment that shares nothing with the first", async () => {
    expect((await deploy(await complete())).code).toBe(0);
    const secrets = await fileWith(JSON.stringify(SECRETS));
    const own = ["--name", "staging", "--api-host", "api.staging.example", "--short-link-host", "pay.staging.example"];
    const rest = ["--dashboard-host", "none", "--region", "weur", "--secrets", secrets, ...checked()];
    const staging = await deploy([...own, ...rest]);
    expect(staging.code).toBe(0);
    const numbersOf = async (name: string) => {
      const { ratelimits, vars } = JSON.parse(await readFile(join(deployments, `${name}.wrangler.json`), "utf8"));
      return {
        api: vars.API_ORIGIN,
        dashboard: vars.DASHBOARD_ORIGIN,
        counters: ratelimits.map(({ namespace_id }: { namespace_id: string }) => namespace_id),
      };
    };
    expect(made().databases).toEqual([...ALL("partner-payments").databases, ...ALL("staging").databases]);
    const [one, other] = [await numbersOf("partner-payments"), await numbersOf("staging")];
    expect([one.api, other.api]).toEqual(["https://api.shop.example", "https://api.staging.example"]);
    expect([one.dashboard, other.dashboard]).toEqual(["https://dashboard.shop.example", undefined]);
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
        if (fault === "refused" && output.includes("Migrating")) expect(output).toMatch(/failed: migrations\/\w+\/\d{4}_\w+\.sql: /);
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
    const gradual = await deploy(["--gradual", "10", ...checked()]);
    // The check asks a local stack, which is another version.
    expect([gradual.code, gradual.output]).toEqual([1, expect.stringContaining("10 per cent")]);
    const { versions = [], deployments: shares = [] } = platform.scripts.get("partner-payments") ?? {};
    expect(shares).toEqual(
      expect.arrayContaining([
        { version_id: versions.at(-1), percentage: 10 },
        { version_id: before, percentage: 90 },
      ]),
    );
    // The smoke check asked the new version alone, which the platform here does not know of.
    expect(gradual.output).toMatch(/NOT CHECKED: the version [0-9a-f]{8} has answered instead of [0-9a-f-]{36}/);
    expect(gradual.output).toMatch(/npm run smoke -- --url \S+ --worker partner-payments --worker-version [0-9a-f-]{36}/);
  });

  it.runIf(isFull)("goes back to the version before, by the commands of docs/bad-days.md", async () => {
    expect((await deploy(await complete())).code).toBe(0);
    expect((await deploy(checked())).code).toBe(0);
    const script = () => platform.scripts.get("partner-payments") ?? expect.fail("nothing was deployed");
    const [before = "", after = ""] = script().versions;
    expect(script().deployments).toEqual([{ version_id: after, percentage: 100 }]);
    const config = join(deployments, "partner-payments.wrangler.json");
    const env = { CLOUDFLARE_API_BASE_URL: platform.url, CLOUDFLARE_API_TOKEN: "a-token", CLOUDFLARE_ACCOUNT_ID: ACCOUNT };
    const listed = await runWrangler(["deployments", "list", "--config", config], env);
    expect([listed.code, listed.out]).toEqual([0, expect.stringContaining(after)]);
    const back = await runWrangler(["rollback", before, "--yes", "--message", "worse", "--config", config], env);
    expect([back.code, back.error]).toEqual([0, expect.any(String)]);
    expect(script().deployments).toEqual([{ version_id: before, percentage: 100 }]);
    // The databases stay as they are.
    expect(made()).toEqual(ALL("partner-payments"));
  });
});

describe("the dashboard's host", () => {
  // What a record becomes is a rule of test/rules/deployment-hosts.test.ts.
  it.runIf(isFull)("is taken from the setting of an earlier record, so that the next deployment does not take it off", async () => {
    const [api_host, short_link_host] = ["api.shop.example", "pay.shop.example"];
    const earlier = { name: "partner-payments", account_id: ACCOUNT, api_host, short_link_host, region: "weur", resources: {} };
    const vars = { DASHBOARD_ORIGIN: "https://desk.shop.example" };
    await writeFile(join(deployments, "partner-payments.json"), JSON.stringify({ ...earlier, vars }));
    const { output } = await deploy(["--dry-run"]);
    const config = JSON.parse(/wrangler's configuration:\n(\{[\s\S]*?\n\})\n/.exec(output)?.[1] ?? "{}");
    expect(config.routes.map(({ pattern }: { pattern: string }) => pattern)).toEqual(["api.shop.example", "desk.shop.example"]);
    expect(config.vars.DASHBOARD_ORIGIN).toBe("https://desk.shop.example");
  });
});

describe("npm run deploy refuses, and changes nothing:", () => {
  const changes = () => platform.calls.filter(({ method }) => method !== "GET");
  const refused = async (args: readonly string[], says: string) => {
    const { code, output } = await deploy(args);
    expect([code, output]).toEqual([1, expect.stringContaining(says)]);
    expect(changes()).toEqual([]);
    return output;
  };

  /** What wrangler is asked for first: it takes seconds to start. */
  const refusedAfterQuestions: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      "nobody who is logged in",
      () => {
        platform.isLoggedIn = false;
        return refused(hosts, "npx wrangler login");
      },
    ],
    [
      "an account on the free plan",
      async () => {
        platform.plan = "workers_free";
        await refused(await complete(), "Workers Paid");
      },
    ],
    [
      "an account without R2, Analytics Engine, a zone of the host, or a permission: all at once, before anything is made",
      async () => {
        platform.isOff.r2 = true;
        platform.isOff.analytics = true;
        platform.zones = ["other.example"];
        platform.forbidden = "/storage/kv";
        const output = await refused(await complete(), "The account is not ready. Nothing was made.");
        for (const part of [
          "R2 is not switched on",
          "Analytics Engine is not switched on",
          "Account, Workers KV Storage, Edit",
          "api.shop.example is in no zone of the account (it has other.example)",
          "pay.shop.example is in no zone",
          "dashboard.shop.example is in no zone",
        ]) {
          expect(output).toContain(part);
        }
        expect(platform.calls.filter(({ method }) => method !== "GET")).toEqual([]);
        expect(await readdir(deployments)).toEqual([]);
      },
    ],
    [
      "options that are not known, all at once",
      async () => {
        const output = await refused([], "These values are missing");
        for (const option of ["--api-host", "--short-link-host", "--region"]) expect(output).toContain(option);
      },
    ],
    [
      "secrets that are not known, all at once",
      async () => {
        const output = await refused(hosts, "These values are missing");
        for (const name of Object.keys(SECRETS)) expect(output).toContain(name);
        expect(output).toContain("https://api.shop.example/ingest/processor/live");
      },
    ],
    [
      "secrets that .dev.vars.example has no value for",
      async () => {
        const example = await readFile(join(root, ".dev.vars.example"), "utf8");
        const names = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
        expect(names.toSorted()).toEqual([...Object.keys(SECRETS), "OPS_TOKEN", "SECRET_ENCRYPTION_KEYS"].toSorted());
        const output = await refused([...hosts, "--secrets", await fileWith(example)], "These values are missing");
        expect([output.includes("with PROCESSOR_KEY_TEST"), output.includes("with BANK_TERMINALS")]).toEqual([true, false]);
      },
    ],
    [
      "new encryption keys for databases that were encrypted with others",
      async () => {
        const record = { name: "partner-payments", account_id: ACCOUNT, api_host: "api.shop.example", short_link_host: "pay.shop.example" };
        const known = { ...record, region: "weur", resources: { DIRECTORY: crypto.randomUUID() }, vars: {} };
        await writeFile(join(deployments, "partner-payments.json"), JSON.stringify(known));
        await refused(await complete(), "Give it by --secrets");
      },
    ],
    [
      "one encryption key in the place of those in use",
      async () => {
        platform.scripts.set("partner-payments", {
          versions: [],
          bindings: [],
          secrets: new Set(["SECRET_ENCRYPTION_KEYS"]),
          deployments: [],
          crons: [],
        });
        const keys = { SECRET_ENCRYPTION_KEYS: JSON.stringify({ current: "k2", keys: { k2: randomBytes(32).toString("base64") } }) };
        await refused(
          [...hosts, "--secrets", await fileWith(JSON.stringify({ ...SECRETS, ...keys }))],
          "webhook secrets become unreadable",
        );
      },
    ],
    [
      "a setting that there is not",
      async () => {
        const record = { name: "partner-payments", account_id: ACCOUNT, api_host: "api.shop.example", short_link_host: "pay.shop.example" };
        const known = { ...record, region: "weur", resources: {}, vars: { SHORT_LINK_HOST_2: "x" } };
        await writeFile(join(deployments, "partner-payments.json"), JSON.stringify(known));
        await refused(await complete(), "There is no setting SHORT_LINK_HOST_2");
      },
    ],
    [
      "a secret that stands among the settings",
      async () => {
        const record = { name: "partner-payments", account_id: ACCOUNT, api_host: "api.shop.example", short_link_host: "pay.shop.example" };
        const known = { ...record, region: "weur", resources: {}, vars: { DELIVERY_RELAY: "{}" } };
        await writeFile(join(deployments, "partner-payments.json"), JSON.stringify(known));
        await refused(await complete(), "DELIVERY_RELAY is a secret");
      },
    ],
    [
      "short links at the API's host",
      () =>
        refused(
          [...hosts.slice(0, 2), "--short-link-host", "api.shop.example", ...hosts.slice(4)],
          "SHORT_LINK_ORIGIN must be a host of its own",
        ),
    ],
    [
      "a dashboard at the API's host",
      () => refused([...required, "--dashboard-host", "api.shop.example"], "DASHBOARD_ORIGIN must be a host of its own"),
    ],
    [
      "a dashboard's host that leads to another Worker",
      async () => {
        platform.domains.set("dashboard.shop.example", "another-worker");
        await refused(await complete(), "dashboard.shop.example leads to the Worker another-worker");
      },
    ],
    [
      "hosts that lead to another Worker, unless they are meant to be replaced",
      async () => {
        platform.domains.set("pay.shop.example", "another-worker");
        await refused(await complete(), "the Worker another-worker");
        // Nor is such a host noted, or the next run would take it for ours.
        expect(await readdir(deployments)).toEqual([]);
      },
    ],
    ["an account that the login may not use", () => refused([...hosts, "--account", "f".repeat(32)], "may not use the account")],
  ];
  it.each(someOf(refusedAfterQuestions))("%s", async (_what, refuse) => {
    await refuse();
  });

  it.each([
    ["that others can read", JSON.stringify(SECRETS), 0o644, "chmod 600"],
    ["with a secret that there is not", JSON.stringify({ ...SECRETS, PROCESSOR_KEY: "x" }), 0o600, "There is no secret PROCESSOR_KEY"],
    [
      "with a relay whose key is short",
      JSON.stringify({ ...SECRETS, DELIVERY_RELAY: '{"url":"https://r.example","key":"x","hosts":["a.example"]}' }),
      0o600,
      "DELIVERY_RELAY.key",
    ],
    [
      "with a relay without https",
      JSON.stringify({
        ...SECRETS,
        DELIVERY_RELAY: JSON.stringify({ url: "http://r.example", key: "k".repeat(32), hosts: ["a.example"] }),
      }),
      0o600,
      "must use https",
    ],
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

  it("a name, a host or a share that cannot be", async () => {
    await refused(["--name", "My Shop"], "lower case letters");
    await refused([...hosts.slice(2), "--api-host", "https://api.shop.example"], "host name");
    await refused([...hosts, "--gradual", "100"], "less than 100");
  });
});

describe("npm run deploy -- --dry-run shows what would be done, without an account, and does nothing:", () => {
  it.runIf(isFull).each([
    ["one cell", [], Object.values(ALL("partner-payments")).flat()],
    [
      "further cells",
      ["--cells", "3", "--region", "weur", "--cell-region", "enam"],
      [
        "- D1 database partner-payments-cell-1 in weur",
        "- D1 database partner-payments-cell-2 in enam",
        "- D1 database partner-payments-cell-3 in enam",
        '"CELL_REGIONS": "weur,enam,enam"',
        '"binding": "CELL_3"',
      ],
    ],
  ] as const)("%s", async (_what, options, shown) => {
    platform.isLoggedIn = false;
    const { code, output } = await deploy(["--dry-run", ...options]);
    expect([code, output]).toEqual([0, expect.any(String)]);
    for (const line of shown) expect(output).toContain(line);
    expect([platform.calls, await readdir(deployments)]).toEqual([[], []]);
  });
});

describe("npm run deploy -- --cells", () => {
  it.runIf(isFull)("makes further cells where they are wanted, migrates them, and never takes one away", async () => {
    const done = await deploy([...(await complete()), "--cells", "2", "--cell-region", "enam"]);
    expect([done.code, done.output]).toEqual([0, expect.stringContaining("migrated partner-payments-cell-2")]);
    expectDeployed("partner-payments", ["weur", "weur", "enam"]);
    const [, first, second] = [...platform.databases.values()].map(({ sql }) => sql.prepare("SELECT name FROM d1_migrations").all());
    expect(second).toEqual(first);
    const { further_cells } = JSON.parse(await readFile(join(deployments, "partner-payments.json"), "utf8"));
    expect(further_cells).toEqual(["enam"]);
    const refused = async (args: readonly string[], why: string) => {
      const { code, output } = await deploy(args);
      expect([code, output]).toEqual([1, expect.stringContaining(why)]);
    };
    // In another clone, whose record is from before the cell.
    const file = join(deployments, "partner-payments.json");
    const record = await readFile(file, "utf8");
    const { CELL_2: _made, ...resources } = JSON.parse(record).resources;
    await writeFile(file, JSON.stringify({ ...JSON.parse(record), further_cells: [], resources }));
    await refused([], "has the databases CELL_2, and");
    await writeFile(file, record);
    await refused(["--cells", "1"], "from 2, as many as there are");
    await refused(["--cells", "3", "--region", "enam"], "The databases are in weur, and stay there");
    await refused(["--cell-region", "oc"], "give both");
    await refused(["--cells", "3", "--gradual", "10"], "without --gradual first");
    await expectPlanned();
    await expectTakenDown();
  });
});

/** What `--plan` says of a deployment that was made: nothing but new versions, and then what was changed by hand. */
async function expectPlanned(): Promise<void> {
  const before = platform.calls.length;
  const planned = await deploy(["--plan"]);
  expect([planned.code, planned.output]).toEqual([0, expect.stringContaining("Nothing was changed there by hand.")]);
  expect(planned.output.match(/^- .*$/gm)).toEqual([
    "- deploys a new version of the Worker partner-payments-links",
    "- deploys a new version of the Worker partner-payments",
  ]);
  const script = platform.scripts.get("partner-payments") ?? expect.fail("nothing was deployed");
  const [setting] = script.bindings.filter(({ name }) => name === "RECORDS_PER_DAY" || name === "API_ORIGIN");
  if (setting === undefined) expect.fail("no setting was deployed");
  const now = setting.text ?? "";
  setting.text = "https://by-hand.example";
  script.bindings.push({ type: "plain_text", name: "BY_HAND", text: "1" });
  script.crons = ["0 * * * *"];
  script.secrets.delete("PROCESSOR_KEY_TEST");
  platform.domains.set("other.shop.example", "partner-payments");
  platform.domains.delete("pay.shop.example");
  const [directory] = platform.databases.values();
  const [last] = directory?.sql.prepare("SELECT name FROM d1_migrations ORDER BY id DESC LIMIT 1").all() ?? [];
  directory?.sql.exec("DELETE FROM d1_migrations WHERE id = (SELECT MAX(id) FROM d1_migrations)");
  directory?.sql.exec("INSERT INTO d1_migrations (name) VALUES ('9999_newer.sql')");
  const { output } = await deploy(["--plan"]);
  for (const line of [
    `applies to partner-payments-directory, of migrations/directory: ${String(last?.name)}`,
    "partner-payments-directory has migrations that this checkout has not: 9999_newer.sql",
    "sets the secrets PROCESSOR_KEY_TEST",
    "leads pay.shop.example to the Worker partner-payments-links",
    "other.shop.example leads to partner-payments, and the record has no such host: it is taken off",
    `${setting.name} of partner-payments is https://by-hand.example there, and becomes ${now}`,
    "partner-payments has the setting BY_HAND, which the configuration has not: it is taken off",
    "partner-payments runs at 0 * * * *, and will run at * * * * *",
  ])
    expect(output).toContain(`- ${line}`);
  const asked = platform.calls.slice(before).filter(({ method, path }) => method !== "GET" && !/\/query$|graphql/.test(path));
  expect(asked).toEqual([]);
}

/** `--destroy` takes a deployment down whose name is typed and which sold nothing in live, and can be repeated. */
async function expectTakenDown(): Promise<void> {
  const refused = async (typed: string, why: string) => {
    const { code, output } = await deploy(["--destroy", typed]);
    expect([code, output]).toEqual([1, expect.stringContaining(why)]);
  };
  await refused("partner-payment", "type its name: --destroy partner-payments");
  const [directory, cell] = platform.databases.values();
  for (const [database, table] of [
    [cell, "movements"],
    [cell, "bank_movements"],
    [directory, "movements"],
  ] as const) {
    const columns = database?.sql.prepare(`SELECT name, type FROM pragma_table_info('${table}') WHERE "notnull"`).all() ?? [];
    const names = columns.map(({ name }) => String(name));
    const values = columns.map(({ name, type }) => (name === "environment" ? "'live'" : type === "INTEGER" ? "1" : "'x'"));
    database?.sql.exec(`INSERT INTO ${table} (${names.join(", ")}) VALUES (${values.join(", ")})`);
    await refused("partner-payments", `${database?.name} has real money: 1 of ${table}`);
    database?.sql.exec(`DELETE FROM ${table}`);
  }
  expect(platform.databases.size).toBe(3);
  platform.isFull = true;
  const half = await deploy(["--destroy", "partner-payments"]);
  expect([half.code, half.output]).toEqual([1, expect.stringContaining("A bucket must be empty")]);
  platform.isFull = false;
  expect((await deploy(["--destroy", "partner-payments"])).code).toBe(0);
  expect(made()).toEqual({ databases: [], namespaces: [], buckets: [], queues: [] });
  expect([platform.scripts.size, [...platform.domains.values()].length]).toEqual([0, 0]);
  const record = JSON.parse(await readFile(join(deployments, "partner-payments.json"), "utf8"));
  expect(record).toMatchObject({ api_host: "api.shop.example", resources: {} });
}

describe("npm run doctor", () => {
  it("says that all is well, or what is wrong and what to do", async () => {
    // One that waits, whatever other tests moderate at the same time.
    const ask = (path: string, body: object) =>
      fetch(`${stack.edge}/ops/${path}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${localSecrets.OPS_TOKEN}`, "X-Operator": "Maria" },
        body: JSON.stringify(body),
      });
    await ask("partners", { id: "examined", name: "Examined" });
    const course = { kind: "card", environment: "test", name: "A course", type: "one_time", currency: "USD", unit_amount: 1900 };
    expect((await ask("partners/examined/products", course)).status).toBe(201);
    // The stack is shared: on a busy machine other tests' work may be late for a moment, and the command says so.
    let well = await command("doctor", ["--url", stack.edge]);
    for (let tries = 1; well.code !== 0 && tries < 6; tries += 1) {
      await new Promise((done) => setTimeout(done, 3_000));
      well = await command("doctor", ["--url", stack.edge]);
    }
    expect([well.code, well.output.split("\n").filter((line) => /^FAILED/i.test(line))]).toEqual([0, []]);
    expect(well.output).toContain("processor test events");
    expect(well.output).toContain("npm run ops -- products search --moderation in_review");
    const json = await command("doctor", ["--url", stack.edge, "--json"]);
    expect(JSON.parse(json.output).checks.length).toBeGreaterThan(20);

    const stranger = await command("doctor", ["--url", stack.edge], { OPS_TOKEN: "guessed" });
    expect([stranger.code, stranger.output]).toEqual([1, expect.stringContaining("Set OPS_TOKEN")]);
    const nobody = await command("doctor", ["--url", "http://localhost:1"]);
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
    // On a stack that others use, nothing is made to fail.
    if (!isFull) return;
    const fault = { target: "processor", call: "payment_links.create", times: 99, kind: "http_400" };
    await fetch(`${stack.sandbox}/control/faults`, { method: "POST", body: JSON.stringify(fault) });
    const failing = await command("smoke", ["--url", stack.edge]);
    await fetch(`${stack.sandbox}/control/faults`, { method: "DELETE" });
    expect([failing.code, failing.output]).toEqual([1, expect.stringContaining("FAILED   the partner makes a payment link")]);
    expect(failing.output).toContain("ok       the key is revoked");
  });
});
