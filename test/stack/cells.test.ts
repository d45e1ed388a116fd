import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { cellConfig } from "../../tools/local/cell-config.ts";
import { root, runTool } from "../../tools/local/processes.ts";
import { isFull } from "./scale.ts";

const state = mkdtempSync(join(tmpdir(), "partner-payments-cells-"));
afterEach(() => rmSync(state, { recursive: true, force: true }));

interface Config {
  readonly main: string;
  readonly d1_databases: readonly { readonly binding: string; readonly database_id: string; readonly migrations_dir: string }[];
}

it("a local state keeps as many cells as it once had, and wrangler.toml does for one", () => {
  expect(cellConfig(state, 1)).toEqual({ cells: 1, path: null });
  const path = join(state, "wrangler.json");
  expect(cellConfig(state, 2)).toEqual({ cells: 2, path });
  expect(cellConfig(state, 3)).toEqual({ cells: 3, path });
  expect(cellConfig(state, 1)).toEqual({ cells: 3, path });
  const { main, d1_databases } = JSON.parse(readFileSync(path, "utf8")) as Config;
  expect(d1_databases.map(({ binding }) => binding)).toEqual(["DIRECTORY", "CELL_1", "CELL_2", "CELL_3"]);
  expect(new Set(d1_databases.map(({ database_id }) => database_id)).size).toBe(4);
  for (const place of [main, ...d1_databases.map(({ migrations_dir }) => migrations_dir)])
    expect([place, existsSync(place)]).toEqual([place, true]);
});

it.runIf(isFull)("npm run demo -- --cells 3 moves a partner, which sells on", async () => {
  expect(await runTool(join(root, "tools", "cli", "start.mjs"), ["demo", "--cells", "3"], { quiet: true })).toBe(0);
});
