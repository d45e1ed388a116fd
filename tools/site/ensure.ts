import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../local/processes.ts";

/** What the site is not made of. Everything else is: the packages in it hold the service, the sandbox and the migrations. */
const NO_SOURCES: ReadonlySet<string> = new Set([".git", ".wrangler", ".stryker-tmp", "bench", "deployments", "node_modules", "test"]);

const STAMP = join(root, ".wrangler", "site-built");

/**
 * Builds the site, unless it is there and no file of the checkout has changed since: then a fifth of a second instead of six. A file has
 * changed if its time or its size has. Where the documents alone are needed, other files may have changed.
 */
export async function ensureSite(needed: "all" | "documents" = "all"): Promise<void> {
  if (isUpToDate(needed)) return;
  const { buildSite } = await import("./build.ts");
  await buildSite();
  mkdirSync(join(root, ".wrangler"), { recursive: true });
  // After the build: it writes some of its sources, such as the types of the dashboard.
  writeFileSync(STAMP, JSON.stringify({ all: state(root), documents: state(join(root, "docs")) }));
}

function isUpToDate(needed: "all" | "documents"): boolean {
  if (!existsSync(join(root, "public", "openapi.json"))) return false;
  try {
    const built: unknown = JSON.parse(readFileSync(STAMP, "utf8"));
    const now = needed === "all" ? state(root) : state(join(root, "docs"));
    return typeof built === "object" && built !== null && Object.entries(built).some(([of, was]) => of === needed && was === now);
  } catch {
    return false; // It was not built here yet.
  }
}

/** A digest of the names, times and sizes of all files in a folder, of the sources and of what was made of them. */
function state(of: string): string {
  const hash = createHash("sha256");
  const walk = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (NO_SOURCES.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else {
        const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? {};
        hash.update(`${path} ${mtimeMs} ${size}\n`);
      }
    }
  };
  walk(of);
  return hash.digest("hex");
}
