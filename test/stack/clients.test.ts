import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { captureTool, root } from "../../tools/local/processes.ts";
import { describeApi } from "../../tools/site/openapi/document.ts";
import { LOCAL_KEY } from "../../tools/site/openapi/operations.ts";
import { toPostman } from "../../tools/site/postman.ts";
import type { Order } from "../clients/order.ts";
import { compile, description } from "./description.ts";
import { isFull } from "./scale.ts";
import { sharedStack } from "./shared-stack.ts";

/** What partners make of the API description: generated clients, as docs/clients.md says, and the Postman collection. */

const CLIENTS = join(root, "test/clients");
const GENERATED = join(CLIENTS, "generated");
const DESCRIPTION = join(GENERATED, "openapi.json");
const TYPESCRIPT = join(CLIENTS, "node_modules/typescript/bin/tsc");
const hook = `--import=${join(CLIENTS, "typescript-5.mjs")}`;

const stack = sharedStack();

beforeAll(async () => {
  await rm(GENERATED, { recursive: true, force: true });
  await mkdir(GENERATED, { recursive: true });
  await writeFile(DESCRIPTION, JSON.stringify(describeApi()));
});

async function run(program: string, ...args: string[]): Promise<void> {
  const { code, output } = await captureTool(program, args, { quiet: true, env: { NODE_OPTIONS: hook } });
  expect([code, output]).toEqual([0, expect.any(String)]);
}

const generate = () =>
  run(join(root, "node_modules/@hey-api/openapi-ts/dist/run.mjs"), "-i", DESCRIPTION, "-o", join(GENERATED, "hey-api"));

it.runIf(isFull)("generators make clients of the description, which compile strictly", async () => {
  await run(join(CLIENTS, "node_modules/openapi-typescript/bin/cli.js"), DESCRIPTION, "-o", join(GENERATED, "openapi-typescript.ts"));
  await generate();
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
});

it("a generated client sells", async () => {
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

it("the Postman collection runs as it is on a local stack: every request is carried out, or finds what is not there", async () => {
  const requestSchema = z.object({
    url: z.object({
      host: z.tuple([z.literal("{{baseUrl}}")]),
      path: z.array(z.string()),
      query: z.array(z.object({ key: z.string(), value: z.string() })),
    }),
    header: z.array(z.object({ key: z.string(), value: z.string() })),
    body: z.object({ raw: z.string().optional(), urlencoded: z.array(z.object({ key: z.string(), value: z.string() })).optional() }),
  });
  const collection = z
    .object({
      auth: z.object({ apikey: z.array(z.object({ key: z.string(), value: z.string() })) }),
      variable: z.array(z.object({ key: z.string(), value: z.string() })),
      item: z.array(z.object({ name: z.string(), item: z.array(z.object({ request: requestSchema })) })),
    })
    .parse(await (await fetch(`${stack.edge}/docs/partner-payments.postman_collection.json`)).json());
  const variables = Object.fromEntries(collection.variable.map(({ key, value }) => [key, value]));
  expect(variables).toEqual({ baseUrl: stack.edge, apiKey: LOCAL_KEY, changeWebhooks: "no" });
  expect(Object.fromEntries(collection.auth.apikey.map(({ key, value }) => [key, value]))).toEqual({
    key: "X-Partner-Api-Key",
    value: "{{apiKey}}",
    in: "header",
  });
  const requests = collection.item.flatMap(({ item }) => item.map(({ request }) => request));
  expect(requests).toHaveLength(11);
  for (const { url, header, body } of requests) {
    const query = new URLSearchParams(url.query.map(({ key, value }) => [key, value]));
    const said = body.raw ?? new URLSearchParams((body.urlencoded ?? []).map(({ key, value }) => [key, value])).toString();
    const sent = said.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) => variables[name] ?? "no such variable");
    // Where the body has the key, the header would hide a wrong one.
    const key: Record<string, string> = said.includes("{{apiKey}}") ? {} : { "X-Partner-Api-Key": variables.apiKey ?? "" };
    const headers = { ...Object.fromEntries(header.map(({ key: name, value }) => [name, value])), ...key };
    const path = url.path.join("/");
    const response = await fetch(`${stack.edge}/${path}?${query}`, {
      method: "POST",
      headers,
      body: sent.replaceAll("http://localhost:8788", stack.sandbox),
    });
    const answer: unknown = await response.json();
    const described = description.paths[`/${path}`]?.post.responses[String(response.status)]?.content?.["application/json"]?.schema;
    expect([path, compile(described ?? { not: {} })(answer)]).toEqual([path, true]);
    const wanted =
      path === "get-partner-processor-payment"
        ? { success: false, error_code: "PAYMENT_NOT_FOUND" }
        : path.startsWith("webhook/cancel")
          ? { success: false, error: expect.stringContaining("not known here yet") }
          : { success: true };
    expect([path, answer]).toEqual([path, expect.objectContaining(wanted)]);
  }
});
