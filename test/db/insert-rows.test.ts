import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { connectDirectory, runBatch } from "../../src/db/client.ts";
import { insertRows } from "../../src/db/insert-rows.ts";
import { partners } from "../../src/db/schema/index.ts";
import { countOf } from "../support/tables.ts";

const row = { cell: "01", idCode: "01", createdAt: 1 };
const directory = connectDirectory(env.DIRECTORY);

it("inserts many rows, each value as it is, by one statement with a few parameters", async () => {
  const rows = Array.from({ length: 300 }, (_, index) => ({ ...row, id: `many-${index}`, name: `It's "${index}" – да` }));
  const statement = insertRows(directory, partners, rows);
  expect(statement.toSQL().params.length).toBeLessThan(100);
  await runBatch(directory, [statement]);
  const { results } = await env.DIRECTORY.prepare("SELECT id, name, created_at FROM partners WHERE id LIKE 'many-%'").all();
  expect(results).toHaveLength(300);
  expect(results).toContainEqual({ id: "many-7", name: 'It\'s "7" – да', created_at: 1 });
});

it("gives what a row leaves out the default of its column", async () => {
  const rows = [
    { ...row, id: "by-default", name: "One" },
    { ...row, id: "as-said", name: "Two", status: "disabled" as const },
  ];
  await runBatch(directory, [insertRows(directory, partners, rows)]);
  expect(await countOf(partners, { id: "by-default", status: "active" })).toBe(1);
  expect(await countOf(partners, { id: "as-said", status: "disabled" })).toBe(1);
});
