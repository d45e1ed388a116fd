import { buildSite } from "./site/build.ts";

/** `npm run site`: writes what `/docs`, `/openapi.json` and `/llms.txt` serve. wrangler runs it before it serves or deploys. */
export async function run(): Promise<number> {
  await buildSite();
  return 0;
}
