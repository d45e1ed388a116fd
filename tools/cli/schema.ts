import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { environments } from "../../src/core/environment.ts";
import * as cell from "../../src/db/schema/cell.ts";
import * as directory from "../../src/db/schema/directory.ts";
import { root } from "../local/processes.ts";
import { readArguments } from "./arguments.ts";

const PAGE = join(root, "docs", "schema.md");
const FOLDER = join(root, "src", "db", "schema");

/** The meaning of columns with these names in every table; others have a comment in the schema. */
const COMMON: Readonly<Record<string, string>> = {
  id: "The primary key.",
  partner_id: "The partner that owns the row.",
  environment: `${environments.map((name) => `\`${name}\``).join(" or ")}.`,
  created_at: "When the row was written.",
  updated_at: "When the row last changed.",
};

const COMMAND_LINE = {
  name: "schema",
  help: "Writes docs/schema.md from the schema and its comments.",
  options: { check: { type: "boolean", default: false, describe: "Write nothing, and fail where the page differs" } },
} as const;

/** `npm run schema`: writes docs/schema.md from the schema and its comments. With `--check` it only compares. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { page, missing } = describeSchema();
  for (const name of missing) console.error(`${name} has no comment in src/db/schema.`);
  if (missing.length > 0) return 1;
  if (!read.options.check) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, "utf8") !== page) {
    console.error("docs/schema.md is not what the schema says. Write it again: npm run schema");
    return 1;
  }
  return 0;
}

function describeSchema(): { readonly page: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const sections = readdirSync(FOLDER)
    .filter((file) => !["index.ts", "columns.ts", "cell.ts", "directory.ts"].includes(file))
    .flatMap((file) => {
      const source = readFileSync(join(FOLDER, file), "utf8");
      return Object.entries<unknown>({ ...directory, ...cell })
        .filter((entry): entry is [string, SQLiteTable] => entry[1] instanceof SQLiteTable && source.includes(`export const ${entry[0]} =`))
        .map(([name, table]) => describeTable(file, source, name, table, missing));
    });
  return { page: `${INTRODUCTION}${sections.join("\n")}`, missing };
}

const INTRODUCTION = `# Schema

Generated from \`src/db/schema\` by \`npm run schema\`. Times are Unix milliseconds, amounts integers of minor units. There
are two kinds of databases: the *directory*, and the *cells*, which have the partners' data. A table that is in both has in
the directory what has no owner (yet).

`;

function describeTable(file: string, source: string, name: string, table: SQLiteTable, missing: string[]): string {
  const { name: tableName, columns, indexes } = getTableConfig(table);
  const start = source.indexOf(`export const ${name} =`);
  const end = source.indexOf("\nexport const ", start + 1);
  const body = source.slice(start, end === -1 ? undefined : end);
  const about = commentBefore(source, start);
  if (about === "") missing.push(tableName);
  const rows = columns.map((column) => {
    const property = new RegExp(`^ +(\\w+): [^\\n]*"${column.name}"`, "m").exec(body);
    const text = (property === null ? "" : commentBefore(body, property.index)) || COMMON[column.name] || "";
    if (text === "") missing.push(`${tableName}.${column.name}`);
    return `| \`${column.name}\` | ${column.getSQLType()}${column.notNull ? "" : ", null"} | ${text} |`;
  });
  const list = indexes.map(({ config }) => `\`${config.name}\``).join(", ");
  return `## ${tableName}

${about} Database: ${databasesOf(name)}. Module: \`src/db/schema/${file}\`.${list === "" ? "" : ` Indexes: ${list}.`}

| column | type | meaning |
|---|---|---|
${rows.join("\n")}
`;
}

function databasesOf(name: string): string {
  return [...(name in directory ? ["directory"] : []), ...(name in cell ? ["cell"] : [])].join(", ");
}

/** The documentation comment that ends just before a position, as one line; empty where there is none. */
function commentBefore(source: string, position: number): string {
  const found = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, position));
  return (found?.[1] ?? "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trim())
    .join(" ")
    .trim()
    .replaceAll("|", "\\|");
}
