import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventNames } from "../../src/webhooks/admin/test-event.ts";
import { commandOf } from "../cli/operations/commands.ts";
import { root } from "../local/processes.ts";
import { tarball } from "./archive.ts";
import { bundle } from "./bundle.ts";
import { type Made, SERVICE } from "./made.ts";
import { callsOfKeys } from "./sdk-sources.ts";

/** The partners' command, in one file. */
export async function commandPackage(version: string): Promise<Made> {
  const code = await bundle({
    entry: "packages/cli/src/main.ts",
    platform: "node",
    define: { BUNDLED: { commands: callsOfKeys.map(commandOf), events: eventNames, version } },
    head: "#!/usr/bin/env node",
  });
  const manifest = {
    name: "ppay",
    version,
    description: "The command of the partner payment service: lists, files, events on your machine",
    license: "MIT",
    type: "module",
    bin: { ppay: "ppay.js" },
    engines: { node: ">=20" },
  };
  const files = new Map<string, string | Uint8Array>([
    ["package.json", JSON.stringify(manifest, null, 2)],
    ["README.md", readFileSync(join(root, "packages", "cli", "README.md"))],
    ["ppay.js", code],
  ]);
  const file = `ppay-${version}.tgz`;
  return { name: "ppay", file, content: tarball(files, ["ppay.js"]), install: `npm install --global ${SERVICE}/packages/${file}` };
}
