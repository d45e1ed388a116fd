import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import * as z from "zod";
import { furtherCells } from "./further-cells.ts";
import { root } from "./processes.ts";

/** The parts of a configuration that name a place, or a database. */
const configSchema = z.looseObject({
  main: z.string(),
  build: z.looseObject({ watch_dir: z.array(z.string()) }),
  assets: z.looseObject({ directory: z.string() }),
  d1_databases: z.array(z.looseObject({ binding: z.string(), migrations_dir: z.string() })),
});

const FILE = "wrangler.json";

/**
 * The configuration of a local edge with more cells than wrangler.toml has, in its state directory. A state that has cells keeps
 * them: their partners would be lost otherwise. Returns how many there are, and the path for wrangler's `--config`.
 */
export function cellConfig(stateDir: string, wanted: number): { readonly cells: number; readonly path: string | null } {
  const path = join(stateDir, FILE);
  const known = existsSync(path) ? cellsIn(configSchema.parse(JSON.parse(readFileSync(path, "utf8")))) : 1;
  const cells = Math.max(known, wanted);
  if (cells === 1) return { cells, path: null };
  const own = configSchema.parse(parse(readFileSync(join(root, "wrangler.toml"), "utf8")));
  const config = {
    ...own,
    // Places are meant from the file that names them, and this one is elsewhere.
    main: here(own.main),
    build: { ...own.build, watch_dir: own.build.watch_dir.map(here) },
    assets: { ...own.assets, directory: here(own.assets.directory) },
    d1_databases: [...own.d1_databases, ...furtherCells(cells)].map((one) => ({ ...one, migrations_dir: here(one.migrations_dir) })),
  };
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`);
  return { cells, path };
}

function cellsIn({ d1_databases }: z.infer<typeof configSchema>): number {
  return d1_databases.filter(({ binding }) => binding.startsWith("CELL_")).length;
}

function here(place: string): string {
  return join(root, place);
}
