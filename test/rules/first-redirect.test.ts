import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../tools/local/processes.ts";

/**
 * A short link is mostly opened where no isolate runs yet: a customer waits for everything that the entry evaluates. What
 * the entry imports by `import()` is evaluated when it is first asked for.
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

it("a first redirect evaluates no router, no schema of an operation, no table and no client", () => {
  const { files, packages } = evaluatedWith("src/worker.ts");
  expect(packages).toEqual(["cloudflare:workers", "node:async_hooks", "zod"]);
  const rooms = new Set(files.map((file) => file.split("/").slice(0, -1).join("/")));
  expect([...rooms].toSorted()).toEqual(["", "core", "http", "http/short-domain", "runners", "short-links"]);
  expect(files.length).toBeLessThanOrEqual(40);
});

/** The packages that are evaluated with several files, without what they import of them. */
function packagesOf(...entries: readonly string[]): string[] {
  const names = entries.flatMap((entry) => evaluatedWith(entry).packages.map((name) => name.replace(/^(@[^/]+\/[^/]+|[^@/]+)\/.*/, "$1")));
  return [...new Set(names)].toSorted();
}

it("a first short link that the database alone has evaluates the router and the tables, and no operation", () => {
  expect(packagesOf("src/app.ts", "src/build-deps.ts")).toEqual(["drizzle-orm", "hono", "node:async_hooks", "zod"]);
  expect(
    ["src/app.ts", "src/build-deps.ts"]
      .flatMap((file) => evaluatedWith(file).files)
      .filter((file) => /^http\/(?:v1|v2|ingest|ops|docs)\//.test(file)),
  ).toEqual([]);
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
])("%s evaluates neither the router nor the processor's library", (_what, entries) => {
  expect(packagesOf("src/build-deps.ts", ...entries)).toEqual(["drizzle-orm", "node:async_hooks", "zod"]);
});

it("the walk sees what a module imports", () => {
  expect(evaluatedWith("src/app.ts").packages).toEqual(expect.arrayContaining(["drizzle-orm", "hono", "zod"]));
  expect(existsSync(join(root, "src/app.ts"))).toBe(true);
});
