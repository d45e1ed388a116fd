import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dangersOf } from "../../tools/cli/migration/rules.ts";
import { dangersOfMigrations } from "../../tools/cli/migration.ts";

describe("a migration that the build that runs can live with", () => {
  it.each([
    [
      "makes a table with an index, as it likes",
      "CREATE TABLE `a` (`id` text NOT NULL);\n--> statement-breakpoint\nCREATE UNIQUE INDEX `a_by_id` ON `a` (`id`);",
    ],
    ["adds a column that may be empty", "ALTER TABLE `a` ADD `b` text;"],
    ["adds a column with a default", "ALTER TABLE `a` ADD `b` integer DEFAULT 0 NOT NULL;"],
    ["adds an index", "CREATE INDEX `a_by_b` ON `a` (`b`);"],
    [
      "has a trigger note in a table that it makes",
      "CREATE TABLE `b` (`n` integer);\n--> statement-breakpoint\nCREATE TRIGGER `t` AFTER UPDATE ON `a` BEGIN\n\tUPDATE `b` SET `n` = 1;\nEND;",
    ],
    ["says that it takes away what nobody needs any longer", "-- contract: `b` is not read since 1.2\nALTER TABLE `a` DROP COLUMN `b`;"],
  ])("%s", (_what, sql) => {
    expect(dangersOf(sql)).toEqual([]);
  });
});

describe("a migration is refused that", () => {
  it.each([
    ["drops a table", "DROP TABLE `a`;"],
    ["drops a column", "ALTER TABLE `a` DROP COLUMN `b`;"],
    ["renames a column", "ALTER TABLE `a` RENAME COLUMN `b` TO `c`;"],
    ["renames a table", "ALTER TABLE `a` RENAME TO `b`;"],
    ["adds a column that needs a value", "ALTER TABLE `a` ADD `b` integer NOT NULL;"],
    ["forbids values", "CREATE UNIQUE INDEX `a_by_b` ON `a` (`b`);"],
    ["drops an index", "DROP INDEX `a_by_b`;"],
    ["drops a table beside one that it makes", "CREATE TABLE `b` (`id` text);\nDROP TABLE `a`;"],
    [
      "changes rows from a table that it makes",
      "CREATE TABLE `b` (`id` text);\nUPDATE `a` SET x = 1 FROM `b` JOIN `c` ON `b`.`id` = `c`.`id`;",
    ],
    ["has a trigger write elsewhere", "CREATE TRIGGER `t` AFTER INSERT ON `a` BEGIN\n\tINSERT INTO `b` VALUES (1);\nEND;"],
    ["has a trigger refuse", "CREATE TRIGGER `t` BEFORE INSERT ON `a` BEGIN\n\tSELECT RAISE(ABORT, 'no');\nEND;"],
    ["changes rows", "UPDATE `a` SET `b` = 1;"],
    ["makes a table anew under its name", "CREATE TABLE `__new_a` (`id` text);\n--> statement-breakpoint\nDROP TABLE `a`;"],
    ["has an empty reason", "-- contract:\nDROP TABLE `a`;"],
  ])("%s", (_what, sql) => {
    expect(dangersOf(sql)).toHaveLength(1);
  });
});

describe("the migrations of this repository", () => {
  it("have none that is refused, and one that were would be named with its file", () => {
    expect(dangersOfMigrations()).toEqual([]);
    const folder = mkdtempSync(join(tmpdir(), "partner-payments-migrations-"));
    const file = join(folder, "9999_drops.sql");
    writeFileSync(file, "DROP TABLE `a`;");
    try {
      expect(dangersOfMigrations([file])).toEqual([
        expect.stringMatching(/9999_drops\.sql: DROP TABLE `a` \(drops a table or an index\)$/),
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
