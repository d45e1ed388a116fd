import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { parse } from "smol-toml";
import * as z from "zod";
import { loadFixtures } from "../../sandbox/fixtures.ts";
import type { CellBindings } from "../../src/db/cells.ts";
import { connectCell, connectDirectory } from "../../src/db/client.ts";
import type { Bindings } from "../../src/env.ts";
import { furtherCells } from "./further-cells.ts";
import { migrate } from "./migrate.ts";
import { root } from "./processes.ts";

// A separate program, started by stack.ts: node tools/local/seed.ts <state directory> <the sandbox's origin>
// <fixtures|empty> <cells>
const [stateDir = "", sandbox = "", content = "fixtures", cells = "1"] = process.argv.slice(2);
const storesSchema = z.object({
  compatibility_date: z.string(),
  d1_databases: z.array(z.looseObject({ binding: z.string(), database_id: z.string(), migrations_dir: z.string() })),
  kv_namespaces: z.tuple([z.object({ binding: z.literal("SHORT_LINKS"), id: z.string() })]),
});

await seed();

/** Opens the databases and KV by their ids in wrangler.toml, so that `wrangler dev` finds the data. */
async function seed(): Promise<void> {
  const own = storesSchema.parse(parse(readFileSync(join(root, "wrangler.toml"), "utf8")));
  const databases = [...own.d1_databases, ...furtherCells(Number(cells))];
  const runtime = new Miniflare({
    resourcePersistencePath: join(stateDir, "v3"),
    workers: [
      {
        config: {
          name: "seed",
          compatibilityDate: own.compatibility_date,
          manifest: {
            mainModule: "seed.js",
            modulesRoot: "/",
            modules: { "seed.js": { type: "esm", contents: "export default {};" } },
          },
          env: {
            ...Object.fromEntries(databases.map(({ binding, database_id: id }) => [binding, { type: "d1" as const, id }])),
            SHORT_LINKS: { type: "kv", id: own.kv_namespaces[0].id },
          },
        },
      },
    ],
  });
  try {
    const bound = await runtime.getBindings<CellBindings & Pick<Bindings, "DIRECTORY" | "SHORT_LINKS">>("seed");
    const { DIRECTORY, CELL_1 } = bound;
    for (const { binding, migrations_dir } of databases) {
      const database = isDatabase(binding) ? bound[binding] : undefined;
      if (database !== undefined) await migrate(database, join(root, migrations_dir));
    }
    if (content === "fixtures") await loadFixtures({ directory: connectDirectory(DIRECTORY), cell: connectCell(CELL_1) }, sandbox);
    await followSandbox(bound);
  } finally {
    await runtime.dispose();
  }
}

/** Updates links that were created while the sandbox had another port, so that they lead to the current port. */
async function followSandbox({ CELL_1, SHORT_LINKS }: Pick<Bindings, "CELL_1" | "SHORT_LINKS">): Promise<void> {
  const { meta } = await CELL_1.prepare(
    "UPDATE payment_links SET url = ?1 || substr(url, instr(url, '/checkout/')) WHERE url LIKE 'http://localhost:%/checkout/%' AND url NOT LIKE ?1 || '/%'",
  )
    .bind(sandbox)
    .run();
  if (meta.changes === 0) return;
  const { keys } = await SHORT_LINKS.list();
  for (const { name } of keys) await SHORT_LINKS.delete(name);
}

function isDatabase(binding: string): binding is "DIRECTORY" | `CELL_${number}` {
  return binding === "DIRECTORY" || /^CELL_\d+$/.test(binding);
}
