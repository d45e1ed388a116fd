import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, runTool } from "../local/processes.ts";
import { filesBelow } from "../site/files.ts";
import { tarball } from "./archive.ts";
import { bundle } from "./bundle.ts";
import { type Made, SERVICE } from "./made.ts";

const FOLDER = join(root, "packages", "sdk");

/** The typed client. It needs nothing but `fetch` and Web Crypto. */
export async function sdkPackage(version: string): Promise<Made> {
  const [code, types] = await Promise.all([
    bundle({ entry: "packages/sdk/src/index.ts", platform: "neutral", isReadable: true }),
    declarations(),
  ]);
  const manifest = {
    name: "ppay-sdk",
    version,
    description: "The typed client of the partner payment service, and the verification of its events",
    license: "MIT",
    type: "module",
    exports: { ".": { types: "./types/index.d.ts", default: "./index.js" } },
    engines: { node: ">=20" },
    sideEffects: false,
  };
  const files = new Map<string, string | Uint8Array>([
    ["package.json", JSON.stringify(manifest, null, 2)],
    ["README.md", readFileSync(join(FOLDER, "README.md"))],
    ["index.js", code],
    ...types,
  ]);
  const file = `ppay-sdk-${version}.tgz`;
  return { name: "ppay-sdk", file, content: tarball(files), install: `npm install ${SERVICE}/packages/${file}` };
}

/** Its types. A declaration names the files beside it as a program would: by the names of their JavaScript. */
async function declarations(): Promise<(readonly [path: string, text: string])[]> {
  const folder = mkdtempSync(join(tmpdir(), "partner-payments-types-"));
  try {
    const code = await runTool("tsc", ["--project", FOLDER, "--outDir", folder], { quiet: true });
    if (code !== 0) throw new Error("the types of the client could not be made; the lines above say why");
    const own = filesBelow(folder).map(([path, content]) => [path, new TextDecoder().decode(content)] as const);
    const all = [...own, ["schema.d.ts", readFileSync(join(FOLDER, "src", "schema.d.ts"), "utf8")] as const];
    return all.map(([path, text]) => [`types/${path}`, text.replaceAll(/"\.\/([\w-]+?)(?:\.d)?(?:\.ts)?"/g, '"./$1.js"')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
