import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig } from "wrangler";
import * as z from "zod";
import { loadFixtures } from "../sandbox/fixtures.ts";
import type { CellBindings } from "../src/db/cells.ts";
import { connectCell, connectDirectory } from "../src/db/client.ts";
import type { Bindings } from "../src/env.ts";
import { furtherCells } from "./further-cells.ts";
import { migrate } from "./migrate.ts";
import { root } from "./processes.ts";

// A separate program, started by stack.ts: node local/seed.ts <state directory> <the sandbox's origin> <fixtures|empty> <cells>
const [stateDir = "", sandbox = "", content = "fixtures", cells = "1"] = process.argv.slice(2);
const storesConfigSchema = z.object({
  compatibility_date: z.string(),
  d1_databases: z.array(z.looseObject({ binding: z.string(), migrations_dir: z.string() })),
  kv_namespaces: z.array(z.json()),
});

await seed();

/** Uses only the stores from the Worker's configuration: the proxy would warn about the rest. */
async function seed(): Promise<void> {
  const config: unknown = unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true });
  const configPath = join(stateDir, "seed.json");
  const own = storesConfigSchema.parse(config);
  const stores = { ...own, d1_databases: [...own.d1_databases, ...furtherCells(Number(cells))] };
  writeFileSync(configPath, JSON.stringify({ name: "seed", ...stores }));
  const persist = { path: join(stateDir, "v3") };
  const proxy = await getPlatformProxy<CellBindings & Pick<Bindings, "DIRECTORY" | "SHORT_LINKS">>({
    configPath,
    persist,
    remoteBindings: false,
  });
  try {
    const { DIRECTORY, CELL_1 } = proxy.env;
    for (const { binding, migrations_dir } of stores.d1_databases) {
      const database = isDatabase(binding) ? proxy.env[binding] : undefined;
      if (database !== undefined) await migrate(database, join(root, migrations_dir));
    }
    if (content === "fixtures") await loadFixtures({ directory: connectDirectory(DIRECTORY), cell: connectCell(CELL_1) }, sandbox);
    await followSandbox(proxy.env);
  } finally {
    await proxy.dispose();
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
