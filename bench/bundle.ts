import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { compatibility } from "../tools/local/deployed-worker.ts";
import { root, runTool } from "../tools/local/processes.ts";

/** The only module of a Worker. */
export const moduleOf = (contents: string) => ({
  mainModule: "worker.js",
  modulesRoot: "/",
  modules: { "worker.js": { type: "esm" as const, contents } },
});

/** A module of this folder without its types. */
export function compiled(file: string): string {
  return stripTypeScriptTypes(readFileSync(join(root, "bench", file), "utf8"));
}

const bundled = new Map<string, Promise<string>>();

/** A Worker bundled as for a deployment, once per process. */
export function bundleWorker(entry = "src/worker.ts"): Promise<string> {
  const bundle = bundled.get(entry) ?? bundleWith(entry, () => [entry]);
  bundled.set(entry, bundle);
  return bundle;
}

/** The two Workers that are deployed: that of the API, and that of the short links. */
const deployed = {
  product: { entry: "src/worker.ts", config: "wrangler.toml" },
  links: { entry: "src/links-worker.ts", config: "wrangler.links.toml" },
} as const;
export type Deployed = keyof typeof deployed;

/** The Worker of the short links, bundled as for a deployment. */
export function bundleLinks(): Promise<string> {
  const { entry, config } = deployed.links;
  const bundle = bundled.get(entry) ?? bundleWith(entry, () => ["--config", join(root, config)]);
  bundled.set(entry, bundle);
  return bundle;
}

/** A deployed Worker with all its names, for a profile. */
export function bundleWithNames(which: Deployed): Promise<string> {
  const { entry, config } = deployed[which];
  return bundleWith(entry, () => ["--config", join(root, config), "--no-minify"]);
}

/** A Worker without the product's bindings. */
export function bundleAlone(entry: string): Promise<string> {
  return bundleWith(entry, (folder) => {
    const config = join(folder, "wrangler.json");
    writeFileSync(config, JSON.stringify({ name: "alone", main: join(root, entry), compatibility_date: compatibility.compatibilityDate }));
    return ["--config", config];
  });
}

async function bundleWith(entry: string, argumentsIn: (folder: string) => readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "partner-payments-bundle-"));
  try {
    const code = await runTool("wrangler", ["deploy", ...argumentsIn(folder), "--dry-run", "--outdir", folder], { quiet: true });
    if (code !== 0) throw new Error("the Worker could not be bundled");
    return readFileSync(join(folder, basename(entry).replace(/\.ts$/, ".js")), "utf8");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
