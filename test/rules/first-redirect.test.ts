import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../tools/local/processes.ts";

/**
 * A short link is mostly opened where no isolate runs yet: a customer waits for everything that the Worker of the short
 * links evaluates. The API's Worker loads its routes with their first request.
 */

/** Imports that are evaluated with their module: not those of types, nor `import()`. */
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm;

/** The files and packages that are evaluated with a file. */
function evaluatedWith(entry: string): { readonly files: string[]; readonly packages: string[] } {
  const files = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string): void => {
    if (files.has(file)) return;
    files.add(file);
    for (const [, wanted = ""] of readFileSync(file, "utf8").matchAll(STATIC)) {
      if (!wanted.startsWith(".")) packages.add(wanted);
      else visit(join(dirname(file), wanted));
    }
  };
  visit(join(root, entry));
  return { files: [...files].map((file) => relative(join(root, "src"), file)).toSorted(), packages: [...packages].toSorted() };
}

it("the Worker of the short links evaluates no router, no schema, no table and no client", () => {
  const { files, packages } = evaluatedWith("src/links-worker.ts");
  expect(packages).toEqual(["hono/html", "hono/utils/accept", "node:async_hooks"]);
  const rooms = new Set(files.map((file) => file.split("/").slice(0, -1).join("/")));
  expect([...rooms].toSorted()).toEqual(["", "core", "db", "http", "http/short-domain", "partners", "rate-limits", "short-links"]);
  expect(files.length).toBeLessThanOrEqual(45);
});

it("it has nothing that it loads later: what it is, it is at once", () => {
  const { files } = evaluatedWith("src/links-worker.ts");
  for (const file of files) expect([file, /\bimport\(/.test(readFileSync(join(root, "src", file), "utf8"))]).toEqual([file, false]);
});

/** The packages that are evaluated with several files, without what they import of them. */
function packagesOf(...entries: readonly string[]): string[] {
  const names = entries.flatMap((entry) => evaluatedWith(entry).packages.map((name) => name.replace(/^(@[^/]+\/[^/]+|[^@/]+)\/.*/, "$1")));
  return [...new Set(names)].toSorted();
}

it("a first request evaluates the router and the tables, and no operation", () => {
  expect(packagesOf("src/worker.ts")).toEqual(["cloudflare:workers", "drizzle-orm", "hono", "node:async_hooks", "zod"]);
  const { files } = evaluatedWith("src/worker.ts");
  expect(files.filter((file) => /^http\/(?:v1|v2|ingest|ops|docs|objects|partner|mcp)\//.test(file))).toEqual([]);
});

it("a first request to the API does not evaluate the processor's library", () => {
  expect(packagesOf("src/app.ts", "src/build-deps.ts", "src/http/api-routes.ts")).toEqual([
    "@hono/zod-validator",
    "drizzle-orm",
    "hono",
    "node:async_hooks",
    "zod",
  ]);
});

it.each([
  ["a first delivery", ["src/runners/queues.ts", "src/webhooks/delivery/deliver.ts"]],
  ["a first event of the processor", ["src/runners/queues.ts", "src/ledger/processor-events.ts"]],
  ["a first run of the cron", ["src/runners/sweeps.ts"]],
  ["a first call of an object", ["src/runners/key-runners.ts"]],
])("%s evaluates nothing of the operations, nor the processor's library", (_what, entries) => {
  expect(packagesOf("src/worker.ts", ...entries)).toEqual(["cloudflare:workers", "drizzle-orm", "hono", "node:async_hooks", "zod"]);
});

it("the walk sees what a module imports", () => {
  expect(evaluatedWith("src/app.ts").packages).toEqual(expect.arrayContaining(["drizzle-orm", "hono", "zod"]));
  expect(existsSync(join(root, "src/app.ts"))).toBe(true);
});
