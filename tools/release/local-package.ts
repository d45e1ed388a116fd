import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as z from "zod";
import { workerConfig } from "../local/deployed-worker.ts";
import { root } from "../local/processes.ts";
import { type FileContent, filesBelow } from "../site/files.ts";
import { tarball } from "./archive.ts";
import { bundle } from "./bundle.ts";
import { type Made, SERVICE } from "./made.ts";

const FOLDER = join(root, "packages", "local");

/** The runtime that it needs, in the version that this service is tested with. */
const { version: runtimeVersion } = z.object({ version: z.string() }).parse(createRequire(import.meta.url)("miniflare/package.json"));

/** The one function, as the declaration of its types. */
const START = `/**
 * Starts the service that partners sell by, as it is deployed, with a sandbox in the place of the processor and the bank. Nothing leaves
 * this machine, and no money moves.
 */
export declare function startLocal(options?: LocalOptions): Promise<LocalService>;
`;

/** The whole service for a partner's own machine: the Worker as it is deployed, the sandbox and the dashboard. */
export async function localPackage(version: string, pages: ReadonlyMap<string, FileContent>): Promise<Made> {
  const external = ["miniflare"];
  const [worker, service, program] = await Promise.all([
    bundle({ entry: "packages/local/src/clock-worker.ts", platform: "worker" }),
    bundle({ entry: "packages/local/src/index.ts", platform: "node", external }),
    bundle({ entry: "packages/local/src/main.ts", platform: "node", external, define: { VERSION: version }, head: "#!/usr/bin/env node" }),
  ]);
  const manifest = {
    name: "ppay-local",
    version,
    description: "The whole partner payment service on your machine and in your tests, with a sandbox in the place of processor and bank",
    license: "MIT",
    type: "module",
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    bin: { "ppay-local": "ppay-local.js" },
    engines: { node: ">=22" },
    dependencies: { miniflare: runtimeVersion },
  };
  const migrations = filesBelow(join(root, "migrations")).filter(([path]) => path.endsWith(".sql"));
  const files = new Map<string, string | Uint8Array>([
    ["package.json", JSON.stringify(manifest, null, 2)],
    ["README.md", readFileSync(join(FOLDER, "README.md"))],
    ["index.js", service],
    ["index.d.ts", `${readFileSync(join(FOLDER, "src", "types.ts"), "utf8")}\n${START}`],
    ["ppay-local.js", program],
    ["worker.json", JSON.stringify(workerConfig)],
    ["worker.js", worker],
    ...migrations.map(([path, content]) => [`migrations/${path}`, content] as const),
    ...[...pages].map(([path, content]) => [`public/${path}`, content] as const),
  ]);
  const file = `ppay-local-${version}.tgz`;
  return {
    name: "ppay-local",
    file,
    content: tarball(files, ["ppay-local.js"]),
    install: `npm install --save-dev ${SERVICE}/packages/${file}`,
  };
}
