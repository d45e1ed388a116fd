import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../local/processes.ts";
import { withProgress } from "../local/progress.ts";
import { type FileContent, filesBelow, keepFinished, removeOld } from "../site/files.ts";
import type { describeApi } from "../site/openapi/document.ts";
import { commandPackage } from "./command-package.ts";
import { localPackage } from "./local-package.ts";
import type { Made } from "./made.ts";
import { PUBLISHED_SETTING, withPublished } from "./published.ts";
import { pythonPackage } from "./python-package.ts";
import { sdkPackage } from "./sdk-package.ts";
import { makeSdkSources } from "./sdk-sources.ts";
import { version } from "./version.ts";

type Description = ReturnType<typeof describeApi>;

const KEPT = join(root, ".wrangler", "packages-made");
/** What the packages are made of, besides the API description and the pages. */
const SOURCES = ["src", "sandbox", "packages", "migrations", "tools"];

/**
 * What partners install, by its path on the site: the client, the command, the service for their own machine, and the client for
 * Python, with an index. It is kept until one of its sources changes. `pages`: the dashboard's files.
 */
export async function buildPackages(description: Description, pages: ReadonlyMap<string, FileContent>): Promise<Map<string, FileContent>> {
  await makeSdkSources(description);
  const kept = join(KEPT, stateOf(description, pages));
  if (!existsSync(kept))
    await withProgress("Making the packages, which are kept until a source changes …", () => make(description, pages, kept));
  const made = new Map(filesBelow(kept).map(([path, content]) => [`packages/${path}`, content]));
  const { files, differing } = withPublished(made, process.env[PUBLISHED_SETTING]);
  if (differing.length > 0) {
    console.error(
      `${differing.join(", ")} differ from what was published as ${version}, which stays as it is. To publish them, raise the version in packages/release.json.`,
    );
  }
  return files;
}

async function make(description: Description, pages: ReadonlyMap<string, FileContent>, kept: string): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  removeOld(KEPT);
  const own = mkdtempSync(join(KEPT, "build-"));
  try {
    const made = await Promise.all([
      sdkPackage(version),
      commandPackage(version),
      localPackage(version, new Map([...pages, ["openapi.json", JSON.stringify(description)]])),
    ]);
    made.push(pythonPackage(version));
    for (const { file, content } of made) writeFileSync(join(own, file), content);
    writeFileSync(join(own, "index.json"), JSON.stringify({ version, packages: made.map(listed) }, null, 2));
    keepFinished(own, kept);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

const listed = ({ name, file, content, install }: Made) => ({
  name,
  version,
  path: `/packages/${file}`,
  bytes: content.length,
  sha256: createHash("sha256").update(content).digest("hex"),
  install,
});

/** A digest of all that the packages are made of. */
function stateOf(description: Description, pages: ReadonlyMap<string, FileContent>): string {
  const hash = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(JSON.stringify(description));
  hash.update(readFileSync(join(root, "wrangler.toml")));
  const sources = SOURCES.flatMap((folder) => filesBelow(join(root, folder)));
  for (const [path, content] of [...pages, ...sources.filter(([name]) => !name.includes("node_modules"))]) {
    hash.update(`\n${path}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}
