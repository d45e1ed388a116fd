import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../local/processes.ts";
import { filesBelow } from "../site/files.ts";
import { wheel } from "./archive.ts";
import { type Made, SERVICE } from "./made.ts";
import { pythonCalls } from "./python-calls.ts";

const FOLDER = join(root, "packages", "python");

/** The client for Python, of its standard library alone. */
export function pythonPackage(version: string): Made {
  const own = filesBelow(join(FOLDER, "ppay"))
    .filter(([path]) => /\.(py|typed)$/.test(path))
    .map(([path, content]) => [`ppay/${path}`, content] as const);
  const files = new Map<string, string | Uint8Array>([...own, ["ppay/calls.py", pythonCalls(version)]]);
  const metadata = `Metadata-Version: 2.4
Name: ppay
Version: ${version}
Summary: The client of the partner payment service, and the verification of its events
License-Expression: MIT
Requires-Python: >=3.9
Description-Content-Type: text/markdown

${readFileSync(join(FOLDER, "README.md"), "utf8")}`;
  const file = `ppay-${version}-py3-none-any.whl`;
  return {
    name: "ppay (Python)",
    file,
    content: wheel("ppay", version, files, metadata),
    install: `pip install ${SERVICE}/packages/${file}`,
  };
}
