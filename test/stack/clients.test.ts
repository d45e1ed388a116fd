import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { captureTool, root } from "../../local/processes.ts";
import { describeApi } from "../../site/openapi/document.ts";
import { LOCAL_KEY } from "../../site/openapi/operations.ts";
import { toPostman } from "../../site/postman.ts";
import type { Order } from "../clients/order.ts";
import { ownStack } from "./own-stack.ts";

/** What partners make of the API description: generated clients, as docs/clients.md says, and the Postman collection. */

const CLIENTS = join(root, "test/clients");
const GENERATED = join(CLIENTS, "generated");
const DESCRIPTION = join(GENERATED, "openapi.json");
const TYPESCRIPT = join(CLIENTS, "node_modules/typescript/bin/tsc");
const hook = `--import=${join(CLIENTS, "typescript-5.mjs")}`;

const stack = ownStack();

beforeAll(async () => {
  await rm(GENERATED, { recursive: true, force: true });
  await mkdir(GENERATED, { recursive: true });
  await writeFile(DESCRIPTION, JSON.stringify(describeApi()));
});

async function run(program: string, ...args: string[]): Promise<void> {
  const { code, output } = await captureTool(program, args, { quiet: true, env: { NODE_OPTIONS: hook } });
  expect([code, output]).toEqual([0, expect.any(String)]);
}

it("generators make clients of the description, which compile strictly, and one of them sells", async () => {
  await run(join(CLIENTS, "node_modules/openapi-typescript/bin/cli.js"), DESCRIPTION, "-o", join(GENERATED, "openapi-typescript.ts"));
  await run(join(root, "node_modules/@hey-api/openapi-ts/dist/run.mjs"), "-i", DESCRIPTION, "-o", join(GENERATED, "hey-api"));
  await run(
    join(CLIENTS, "node_modules/orval/dist/bin/orval.mjs"),
    "--input",
    DESCRIPTION,
    "--output",
    join(GENERATED, "orval.ts"),
    "--client",
    "fetch",
  );
  await run(TYPESCRIPT, "--project", CLIENTS);

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

it("the Postman collection runs, with its assertions, and moves nobody's webhook", async () => {
  const collection = join(GENERATED, "collection.json");
  await writeFile(collection, JSON.stringify(await toPostman(describeApi())));
  const registered = () =>
    fetch(`${stack.edge}/register-partner-notifications-webhook`, {
      method: "POST",
      headers: { "X-Partner-Api-Key": LOCAL_KEY, "Content-Type": "application/json" },
      body: JSON.stringify({ test_url: `${stack.sandbox}/inbox/own` }),
    }).then((answer) => answer.json() as Promise<{ registered: [{ signing_secret: string }] }>);
  const [before] = (await registered()).registered;
  const { code, output } = await captureTool(
    join(root, "node_modules/newman/bin/newman.js"),
    ["run", collection, "--env-var", `baseUrl=${stack.edge}`, "--reporters", "cli", "--color", "off"],
    { quiet: true },
  );
  expect([code, output]).toEqual([0, expect.stringMatching(/assertions[^\n]*\b9\b/)]);
  const operator = { headers: { Authorization: "Bearer ops-local" } };
  const endpoints = await (await fetch(`${stack.edge}/ops/endpoints?partner=acme`, operator)).text();
  expect(endpoints).toContain("/inbox/own");
  expect((await registered()).registered[0].signing_secret).toBe(before.signing_secret);
});
