import { type Environment, environments } from "../core/environment.ts";
import { mergePages, type NewestPage } from "../db/newest-page.ts";
import type { Dated } from "../db/partner-data.ts";

/** A page of the named environment, or the pages of both, merged. `read` reads one. */
export async function inEach<Row extends Dated>(
  { environment, limit }: { readonly environment?: Environment | undefined; readonly limit: number },
  read: (environment: Environment) => Promise<NewestPage<Row>>,
): Promise<NewestPage<Row>> {
  if (environment !== undefined) return read(environment);
  return mergePages(await Promise.all(environments.map(read)), limit);
}
