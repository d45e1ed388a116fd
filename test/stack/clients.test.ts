import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { LOCAL_KEY } from "../../sandbox/local-settings.ts";
import { creations, withStatuses } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import { captureTool, root } from "../../tools/local/processes.ts";
import { describeApi } from "../../tools/site/openapi/document.ts";
import type { Order } from "../clients/order.ts";
import { compile, description } from "./description.ts";
import { collectionSchema, runCollection } from "./postman.ts";
import { isFull } from "./scale.ts";
import { sharedStack } from "./shared-stack.ts";

/** What partners make of the API description: generated clients, as docs/clients.md says, and the Postman collection. */

const CLIENTS = join(root, "test/clients");
const GENERATED = join(CLIENTS, "generated");
const DESCRIPTION = join(GENERATED, "openapi.json");
const INSTALLED = join(CLIENTS, "node_modules");

/** The generators are installed apart: `npm ci --prefix test/clients`. The run says so where they are not. */
const HAS_GENERATORS = existsSync(INSTALLED);

const stack = sharedStack();

beforeAll(async () => {
  await rm(GENERATED, { recursive: true, force: true });
  await mkdir(GENERATED, { recursive: true });
  await writeFile(DESCRIPTION, JSON.stringify(describeApi()));
});

async function run(program: string, ...args: string[]): Promise<void> {
  const { code, output } = await captureTool(join(INSTALLED, program), args, { quiet: true });
  expect([code, output]).toEqual([0, expect.any(String)]);
}

const generate = () => run("@hey-api/openapi-ts/dist/run.mjs", "-i", DESCRIPTION, "-o", join(GENERATED, "hey-api"));

it.runIf(isFull && HAS_GENERATORS)("generators make clients of the description, which compile strictly", async () => {
  await run("openapi-typescript/bin/cli.js", DESCRIPTION, "-o", join(GENERATED, "openapi-typescript.ts"));
  await generate();
  await run("orval/dist/bin/orval.mjs", "--input", DESCRIPTION, "--output", join(GENERATED, "orval.ts"), "--client", "fetch");
  await run("typescript/bin/tsc", "--project", CLIENTS);
});

it.runIf(HAS_GENERATORS)("a generated client sells", async () => {
  await generate();

  // Only there once it was generated.
  const quickstart = "../clients/quickstart.ts";
  const { sell } = (await import(quickstart)) as { sell: (order: Order) => Promise<readonly number[]> };
  const control = (path: string, body: object) => fetch(`${stack.sandbox}/control${path}`, { method: "POST", body: JSON.stringify(body) });
  const paid = await sell({
    edge: stack.edge,
    key: LOCAL_KEY,
    receiver: `${stack.sandbox}/inbox/clients`,
    pay: async (shortUrl) => {
      const [url = "", query] = shortUrl.split("?");
      const done = await control("/pay", { short_url: url, client_reference_id: new URLSearchParams(query).get("client_reference_id") });
      expect(done.status).toBe(200);
    },
    settled: async () => {
      const inbox = async () => JSON.stringify(await (await fetch(`${stack.sandbox}/control/inbox/clients`)).json());
      await expect.poll(inbox).toContain("Processor.payment.succeeded");
    },
  });
  expect(paid).toEqual([19]);
});

describe("the Postman collection", () => {
  const load = async () =>
    collectionSchema.parse(await (await fetch(`${stack.edge}/docs/partner-payments.postman_collection.json`)).json());

  it("is for the host that it came from, and has a key of the local stack", async () => {
    const { variable, auth } = await load();
    const valuesOf = (pairs: typeof variable) => Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
    expect(valuesOf(variable)).toEqual({ baseUrl: stack.edge, apiKey: LOCAL_KEY, changeWebhooks: "no" });
    expect(valuesOf(auth.apikey)).toEqual({ key: "X-Partner-Api-Key", value: "{{apiKey}}", in: "header" });
  });

  it("runs as it is, with its assertions, and moves nobody's webhook", async () => {
    const registered = () =>
      fetch(`${stack.edge}/register-partner-notifications-webhook`, {
        method: "POST",
        headers: { "X-Partner-Api-Key": LOCAL_KEY, "Content-Type": "application/json" },
        body: JSON.stringify({ test_url: `${stack.sandbox}/inbox/own` }),
      }).then((answer) => answer.json() as Promise<{ registered: [{ signing_secret: string }] }>);
    const [before] = (await registered()).registered;
    const ran = await runCollection(await load(), {});
    expect(ran.flatMap(({ held }) => held)).toHaveLength(9);
    const operator = { headers: { Authorization: "Bearer ops-local" } };
    const endpoints = await (await fetch(`${stack.edge}/ops/endpoints?partner=acme`, operator)).text();
    expect(endpoints).toContain("/inbox/own");
    expect((await registered()).registered[0].signing_secret).toBe(before.signing_secret);
  });

  it("has every operation, and each answer is as it is described", async () => {
    const ran = await runCollection(await load(), { changeWebhooks: "yes" });
    const all = [...creations, ...withStatuses, ...operations].map(({ path }) => path.slice(1));
    expect(ran.map(({ path }) => path).toSorted()).toEqual(all.toSorted());
    for (const { path, status, answer, held } of ran) {
      const described = description.paths[`/${path}`]?.post.responses[String(status)]?.content?.["application/json"]?.schema;
      expect([path, compile(described ?? { not: {} })(answer), held]).toEqual([path, true, ["is answered as documented"]]);
    }
  });
});
