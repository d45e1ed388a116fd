import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../local/processes.ts";
import { askDatabase } from "./ask-database.ts";
import type { DeploymentRecord } from "./record.ts";

/** The migrations of a deployment's database and of this checkout, which differ. */
export interface PendingMigrations {
  /** Where its files are. */
  readonly folder: string;
  /** Files that it has not applied, in their order. */
  readonly missing: readonly string[];
  /** Applied migrations that this checkout has not. */
  readonly unknown: readonly string[];
}

/** `id`: of the database; null if it is not made yet. @throws UserFault if it could not be asked */
export async function pendingMigrations(
  record: Pick<DeploymentRecord, "account_id">,
  { name, binding, id }: { readonly name: string; readonly binding: string; readonly id: string | null },
): Promise<PendingMigrations> {
  const folder = `migrations/${binding === "DIRECTORY" ? "directory" : "cell"}`;
  const files = readdirSync(join(root, folder)).filter((file) => file.endsWith(".sql"));
  const rows = id === null ? null : await askDatabase(record, { name, id }, "SELECT name FROM d1_migrations");
  const applied = (rows ?? []).map((row) => String(row.name));
  return {
    folder,
    missing: files.filter((file) => !applied.includes(file)).toSorted(),
    unknown: applied.filter((file) => !files.includes(file)),
  };
}
