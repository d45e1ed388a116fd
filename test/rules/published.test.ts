import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fetchPublished, servePublished, withPublished } from "../../tools/release/published.ts";

/** What was published goes on being served by later deployments: a partner's lock file has its digest. */

const digest = (content: string) => createHash("sha256").update(content).digest("hex");
const entry = (version: string, content: string) => ({
  name: "ppay-sdk",
  version,
  path: `/packages/ppay-sdk-${version}.tgz`,
  bytes: content.length,
  sha256: digest(content),
  install: "npm install …",
});
const site = (version: string, ...all: [version: string, content: string][]) =>
  new Map([
    ["packages/index.json", JSON.stringify({ version, packages: all.map(([own, content]) => entry(own, content)) })],
    ...all.map(([own, content]) => [`packages/ppay-sdk-${own}.tgz`, content] as const),
  ]);

let served: ReadonlyMap<string, string> = new Map();
let server: Server;
let folder = "";
const address = () => `http://localhost:${(server.address() as AddressInfo).port}`;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-payments-published-"));
  server = createServer((request, response) => {
    const content = served.get((request.url ?? "").slice(1));
    response.writeHead(content === undefined ? 404 : 200).end(content);
  });
  await new Promise<void>((listening) => server.listen(0, listening));
});
afterEach(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

const textOf = (content: unknown) => (content instanceof Uint8Array ? new TextDecoder().decode(content) : content);
const listedIn = (files: ReadonlyMap<string, unknown>) =>
  (JSON.parse(String(textOf(files.get("packages/index.json")))) as { packages: { version: string; sha256: string }[] }).packages.map(
    ({ version, sha256 }) => [version, sha256],
  );

it("an earlier version is served beside the current one, through any number of deployments", async () => {
  served = site("1.0.0", ["1.0.0", "first"]);
  expect(await fetchPublished(address(), folder)).toBeNull();
  const second = withPublished(site("1.1.0", ["1.1.0", "second"]), folder).files;
  expect(listedIn(second)).toEqual([
    ["1.1.0", digest("second")],
    ["1.0.0", digest("first")],
  ]);
  served = new Map([...second].map(([path, content]) => [path, String(textOf(content))]));
  expect(await fetchPublished(address(), folder)).toBeNull();
  const { files, differing } = withPublished(site("2.0.0", ["2.0.0", "third"]), folder);
  expect([listedIn(files).length, textOf(files.get("packages/ppay-sdk-1.0.0.tgz")), differing]).toEqual([3, "first", []]);
});

it("what was published under a version never changes, and that it differs is said", async () => {
  served = site("1.0.0", ["1.0.0", "first"]);
  await fetchPublished(address(), folder);
  const { files, differing } = withPublished(site("1.0.0", ["1.0.0", "changed"]), folder);
  expect([textOf(files.get("packages/ppay-sdk-1.0.0.tgz")), listedIn(files), differing]).toEqual([
    "first",
    [["1.0.0", digest("first")]],
    ["ppay-sdk"],
  ]);
});

it("a site that was built before gets them too", async () => {
  served = site("1.0.0", ["1.0.0", "first"]);
  await fetchPublished(address(), folder);
  const own = join(folder, "site");
  await mkdir(join(own, "packages"), { recursive: true });
  for (const [path, content] of site("1.1.0", ["1.1.0", "second"])) await writeFile(join(own, path), content);
  expect(servePublished(own, folder)).toEqual([]);
  expect(await readFile(join(own, "packages", "ppay-sdk-1.0.0.tgz"), "utf8")).toBe("first");
  expect(await readFile(join(own, "packages", "ppay-sdk-1.1.0.tgz"), "utf8")).toBe("second");
});

it("a first deployment has none, and a service out of reach is said: what an earlier deployment fetched stays", async () => {
  served = new Map();
  expect(await fetchPublished(address(), folder)).toBeNull();
  expect(withPublished(site("1.0.0", ["1.0.0", "first"]), folder).files.size).toBe(2);
  served = site("1.0.0", ["1.0.0", "first"]);
  await fetchPublished(address(), folder);
  expect(await fetchPublished("http://localhost:9", folder)).toContain("cannot be read");
  expect(withPublished(site("1.1.0", ["1.1.0", "second"]), folder).files.size).toBe(3);
});

it("a package that is not what its index says is not taken", async () => {
  served = new Map([...site("1.0.0", ["1.0.0", "first"]), ["packages/ppay-sdk-1.0.0.tgz", "other"]]);
  expect(await fetchPublished(address(), folder)).toContain("is not what its index says");
  expect(withPublished(site("1.1.0", ["1.1.0", "second"]), folder).files.size).toBe(2);
});
