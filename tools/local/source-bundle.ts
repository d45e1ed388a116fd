import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { basename, join, relative, resolve } from "node:path";
import { build } from "esbuild";
import { ssrExportAllKey, ssrModuleExportsKey } from "vite/module-runner";
import type { Plugin } from "vitest/config";
import * as z from "zod";
import { root } from "./processes.ts";

/** The modules that all tests in workerd share. The tests and their helpers stay modules of their own. */
const SOURCES = ["src/**/*.ts", "sandbox/**/*.ts", "tools/site/openapi/*.ts"];
/** Packages of which the sources and the tests must have the same copy, and big ones that the tests import. */
const PACKAGES = [
  "@modelcontextprotocol/client",
  "zod",
  "drizzle-orm",
  "drizzle-orm/sqlite-core",
  "stripe",
  "fast-check",
  "@cfworker/json-schema",
];
/** The runtime has these. */
const BUILT_IN = ["cloudflare:*", "node:*", "stream", "util", "crypto"];

const isSource = (file: string) => /^(?:src|sandbox|tools)[/\\]/.test(relative(root, file));

/** The test runner has the runtime load by itself what is among the packages. */
const FOLDER = join(root, "node_modules", ".cache", "tests");
const isBundle = (file: string) => file.includes("node_modules/.cache/tests/");
/** The age in milliseconds at which a bundle is deleted. Its run has ended. */
const OLD = 24 * 60 * 60_000;

/** The path of the bundle, and the name that each module has in it, by file or by package. */
interface Bundle {
  readonly path: string;
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Gives the tests in workerd all sources as one module. The test runner would fetch each of 900 modules from the process that transforms
 * it, one after the other, before a file's first test; the runtime loads one module by itself. What a test imports is a module of the
 * bundle under its own name, so the test and the Worker have the same one.
 */
export function sourceBundle(): Plugin {
  let building: Promise<Bundle> | undefined;
  return {
    name: "source-bundle",
    enforce: "pre",
    config: {
      order: "post",
      handler: ({ test }) => {
        // The runtime's plugin has all modules transformed. The bundle is loaded as it is.
        if (test?.server?.deps === undefined) return;
        test.server.deps.inline = [/^(?!.*\.cache[/\\]tests[/\\])/];
      },
    },
    /** Where files are watched, each save of a source leads to a new bundle, which the modules that pass it on name. */
    configureServer({ watcher, environments }) {
      watcher.on("all", (_event, file) => {
        if (!isSource(file)) return;
        building = undefined;
        for (const { moduleGraph } of Object.values(environments)) moduleGraph.invalidateAll();
      });
    },
    resolveId: (id) => (PACKAGES.includes(id) ? `\0${id}` : undefined),
    async load(id) {
      building ??= bundle();
      const { path, names } = await building;
      const name = names.get(id);
      if (name === undefined) return undefined;
      const code = [
        `import { ${name} } from ${JSON.stringify(path)};`,
        `${ssrExportAllKey}(${name});`,
        `if ("default" in ${name}) ${ssrModuleExportsKey}.default = ${name}.default;`,
      ];
      return { code: code.join("\n"), map: { mappings: "" } };
    },
  };
}

const nameOf = (module: string) => `m_${module.replaceAll(/\W/g, "_")}`;
const idOf = (module: string) => (module.startsWith("./") ? resolve(root, module) : `\0${module}`);

async function bundle(): Promise<Bundle> {
  const modules = [...PACKAGES, ...globSync(SOURCES, { cwd: root, exclude: ["**/*.d.ts"] }).map((file) => `./${file}`)];
  const { outputFiles } = await build({
    stdin: {
      contents: modules.map((module) => `export * as ${nameOf(module)} from ${JSON.stringify(module)};`).join("\n"),
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
    platform: "browser",
    conditions: ["workerd", "worker", "module", "browser"],
    sourcemap: "external",
    sourcesContent: false,
    outdir: FOLDER,
    keepNames: true,
    external: BUILT_IN,
    logLevel: "error",
  });
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? "";
  const code = text(".js");
  mkdirSync(FOLDER, { recursive: true });
  forgetOldBundles();
  // Another run at the same time may have another state of the sources.
  const path = join(FOLDER, `${createHash("sha256").update(code).digest("hex").slice(0, 16)}.mjs`);
  writeWhole(`${path}.map`, text(".map"));
  writeWhole(path, code);
  return { path, names: new Map(modules.map((module) => [idOf(module), nameOf(module)])) };
}

function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

function forgetOldBundles(): void {
  for (const file of globSync(join(FOLDER, "*"))) {
    // Another run may have deleted it.
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > OLD) rmSync(file, { force: true });
  }
}

const payloadSchema = z.object({
  version: z.number(),
  sources: z.array(z.string()),
  names: z.array(z.string()),
  mappings: z.string(),
  file: z.string().default(""),
  sourceRoot: z.string().default(""),
  sourcesContent: z.array(z.string()).default([]),
});
const maps = new Map<string, SourceMap>();

function mapOf(bundled: string): SourceMap {
  const known = maps.get(bundled);
  if (known !== undefined) return known;
  const text = readFileSync(join(FOLDER, `${basename(bundled)}.map`), "utf8");
  const made = new SourceMap(payloadSchema.parse(JSON.parse(text)));
  maps.set(bundled, made);
  return made;
}

/** Changes a frame of a stack trace within the bundle into its place in the sources. */
export function placeInSources(frame: { file: string; line: number; column: number }): void {
  if (!isBundle(frame.file)) return;
  const entry = mapOf(frame.file).findEntry(frame.line - 1, frame.column - 1);
  if (!("originalSource" in entry)) return;
  Object.assign(frame, { file: resolve(FOLDER, entry.originalSource), line: entry.originalLine + 1, column: entry.originalColumn + 1 });
}
