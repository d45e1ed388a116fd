import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../local/processes.ts";
import { withoutCredentials } from "./site/environment.ts";
import { prepareLocal } from "./site/prepare-local.ts";

/**
 * `npm run site`: writes the files that `/docs`, `/openapi.json` and `/llms.txt` serve. wrangler runs it before it
 * serves or deploys, in the deploying shell (under `npx wrangler dev` it also prepares the local databases). So
 * possible credentials are removed from the environment before any package is loaded. During development a failed build
 * must not prevent `wrangler dev` from serving the rest.
 */
export async function run(): Promise<number> {
  // It was built before, in a step without credentials.
  if (process.env.SITE === "built") {
    if (!isBuilt()) return 1;
    const { PUBLISHED_SETTING, servePublished } = await import("../release/published.ts");
    servePublished(join(root, "public"), process.env[PUBLISHED_SETTING]);
    return 0;
  }
  // `npm run dev` and the temporary stacks make it beside the edge.
  if (process.env.SITE === "stack") return 0;
  const kept = withoutCredentials(process.env);
  for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name];
  const isPlainDev = process.env.WRANGLER_COMMAND === "dev";
  try {
    const { buildSite } = await import("../site/build.ts");
    await buildSite();
    if (isPlainDev) await prepareLocal();
    return 0;
  } catch (thrown) {
    console.error(`The Worker could not be prepared: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return process.env.WRANGLER_COMMAND === "dev" ? 0 : 1;
  }
}

function isBuilt(): boolean {
  const isThere = existsSync(join(root, "public", "openapi.json"));
  if (!isThere) console.error("SITE says that the documentation is built, and public/ does not have it: run `npm run site` first.");
  return isThere;
}
