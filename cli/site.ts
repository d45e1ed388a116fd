import { buildSite } from "../site/build.ts";

/**
 * `npm run site`: writes the files that `/docs`, `/openapi.json` and `/llms.txt` serve. wrangler runs it before it
 * serves or deploys. During development a failed build must not prevent `wrangler dev` from serving the rest.
 */
export async function run(): Promise<number> {
  try {
    await buildSite();
    return 0;
  } catch (thrown) {
    console.error(`The documentation could not be built: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return process.env.WRANGLER_COMMAND === "dev" ? 0 : 1;
  }
}
