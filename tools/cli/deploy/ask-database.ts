import * as z from "zod";
import { UserFault } from "../../local/processes.ts";
import { askApiStatus, faultIn } from "./account.ts";
import type { DeploymentRecord } from "./record.ts";

const answerSchema = z.object({ result: z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) })).min(1) });

/**
 * The rows of a SELECT in a database of the account. Null if it has no such table: it was made and not migrated.
 * @throws UserFault if the database could not be asked
 */
export async function askDatabase(
  { account_id }: Pick<DeploymentRecord, "account_id">,
  { name, id }: { readonly name: string; readonly id: string },
  sql: string,
): Promise<readonly Readonly<Record<string, unknown>>[] | null> {
  const answer = await askApiStatus(`/accounts/${account_id}/d1/database/${id}/query`, { sql });
  const found = answerSchema.safeParse(answer.body).data?.result[0]?.results;
  if (answer.status === 200 && found !== undefined) return found;
  const fault = faultIn(answer);
  if (/no such table/.test(fault)) return null;
  throw new UserFault(`The database ${name} could not be asked: ${fault}.`);
}
