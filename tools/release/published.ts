import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { type FileContent, filesBelow } from "../site/files.ts";

const indexSchema = z.object({
  version: z.string(),
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      path: z.string().regex(/^\/packages\/[\w.-]+$/),
      bytes: z.int(),
      sha256: z.string(),
      install: z.string(),
    }),
  ),
});

const INDEX = "packages/index.json";

/** The setting by which `deploy` tells the build of the site where published packages lie. */
export const PUBLISHED_SETTING = "PUBLISHED_PACKAGES";

/**
 * Fetches what a service has published, of all versions, into a folder, so that the next deployment goes on serving it: a partner's
 * lock file names it by its digest. What lies there already is kept. Returns why it could not be fetched; null if it was, or if there is
 * none.
 */
export async function fetchPublished(api: string, folder: string): Promise<string | null> {
  mkdirSync(folder, { recursive: true });
  try {
    const response = await fetch(`${api}/${INDEX}`, { redirect: "error", signal: AbortSignal.timeout(20_000) });
    if (response.status === 404) return null;
    if (!response.ok) return `${api}/${INDEX} answered ${response.status}`;
    const index = indexSchema.parse(await response.json());
    for (const { path, sha256 } of index.packages) {
      const file = join(folder, fileOf(path));
      if (existsSync(file) && digestOf(readFileSync(file)) === sha256) continue;
      const found = await fetch(`${api}${path}`, { redirect: "error", signal: AbortSignal.timeout(60_000) });
      const content = new Uint8Array(await found.arrayBuffer());
      if (!found.ok || digestOf(content) !== sha256) return `${api}${path} is not what its index says`;
      writeFileSync(file, content);
    }
    writeFileSync(join(folder, "index.json"), JSON.stringify(index));
    return null;
  } catch (thrown) {
    return `${api}/${INDEX} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`;
  }
}

/** The current version of what was fetched into a folder; null for none. */
export function publishedVersion(folder: string): string | null {
  const file = join(folder, "index.json");
  return existsSync(file) ? indexSchema.parse(JSON.parse(readFileSync(file, "utf8"))).version : null;
}

/**
 * What was made, and what was published before from a folder: a published version stays as it is, and earlier ones are served beside the
 * current one. `differing`: the packages of the current version that are not what was published under it.
 */
export function withPublished(
  made: ReadonlyMap<string, FileContent>,
  folder: string | undefined,
): { readonly files: Map<string, FileContent>; readonly differing: readonly string[] } {
  const files = new Map(made);
  if (folder === undefined || !existsSync(join(folder, "index.json"))) return { files, differing: [] };
  const published = indexSchema.parse(JSON.parse(readFileSync(join(folder, "index.json"), "utf8"))).packages;
  const current = indexSchema.parse(JSON.parse(textOf(made.get(INDEX))));
  const differing = current.packages.filter(({ path, sha256 }) => published.some((one) => one.path === path && one.sha256 !== sha256));
  for (const { path } of published) files.set(path.slice(1), readFileSync(join(folder, fileOf(path))));
  const earlier = published.filter(({ path }) => !current.packages.some((one) => one.path === path));
  const own = current.packages.map((one) => {
    const before = published.find(({ path }) => path === one.path);
    return before === undefined ? one : { ...one, bytes: before.bytes, sha256: before.sha256 };
  });
  files.set(INDEX, JSON.stringify({ version: current.version, packages: [...own, ...earlier] }, null, 2));
  return { files, differing: differing.map(({ name }) => name) };
}

/** The same for a site that is built already: its folder gets what was published before. */
export function servePublished(site: string, folder: string | undefined): readonly string[] {
  const made = new Map(filesBelow(join(site, "packages")).map(([path, content]) => [`packages/${path}`, content]));
  const { files, differing } = withPublished(made, folder);
  for (const [path, content] of files) if (content !== made.get(path)) writeFileSync(join(site, path), content);
  return differing;
}

const fileOf = (path: string): string => path.slice("/packages/".length);
const digestOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
const textOf = (content: FileContent | undefined): string =>
  typeof content === "string" ? content : new TextDecoder().decode(content ?? new Uint8Array());
