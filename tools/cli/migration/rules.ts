/**
 * Rules for migrations. A deployment migrates before it deploys, and a rollback runs an earlier build on the migrated
 * database, so each database serves two builds for a while. Columns and tables of the earlier build are removed one
 * release later, by a migration that says so in its first line.
 */

/** The first line of a migration that removes what no build in use needs. */
const CONTRACT = /^-- contract: \S.*/;

const RULES: readonly { readonly breaks: RegExp; readonly why: string }[] = [
  { breaks: /\bDROP\s+(TABLE|INDEX|VIEW)\b/i, why: "drops a table or an index" },
  { breaks: /\bDROP\s+COLUMN\b/i, why: "drops a column" },
  { breaks: /\bRENAME\s+(TO|COLUMN)\b/i, why: "renames" },
  {
    breaks: /\bADD\b(?!.*\bDEFAULT\b).*\bNOT\s+NULL\b/i,
    why: "adds a column that needs a value and has no default: the build that runs does not give it",
  },
  { breaks: /\bCREATE\s+UNIQUE\s+INDEX\b/i, why: "forbids values that the build that runs may write" },
  { breaks: /\bCREATE\s+TRIGGER\b/i, why: "changes what the writes of the build that runs do" },
  { breaks: /\b(UPDATE|DELETE\s+FROM)\b/i, why: "changes rows while the build that runs uses them" },
];

/** The table that a statement changes, from its beginning; for a trigger, the table that it writes to first. */
const CHANGED =
  /^\s*(?:CREATE TABLE|CREATE UNIQUE INDEX\s+\S+\s+ON|ALTER TABLE|UPDATE|DELETE FROM|CREATE TRIGGER\b[\s\S]*?\bBEGIN\s+(?:INSERT INTO|UPDATE|DELETE FROM))\s+`?(\w+)`?/i;

/** Why the running build could not work with a migration; empty if it could. @param sql its text */
export function dangersOf(sql: string): string[] {
  if (CONTRACT.test(sql)) return [];
  const statements = sql.split(/--> statement-breakpoint|;/).filter((text) => text.trim() !== "");
  // A new table may be created in any form.
  const made = new Set(statements.flatMap((text) => /^\s*CREATE TABLE `?(\w+)`?/i.exec(text)?.[1] ?? []));
  return statements.flatMap((text) => {
    if (made.has(CHANGED.exec(text)?.[1] ?? "")) return [];
    const found = RULES.find(({ breaks }) => breaks.test(text));
    return found === undefined ? [] : [`${text.trim().split("\n")[0]} (${found.why})`];
  });
}
