import { join } from "node:path";
import { loadFixtures } from "../../sandbox/fixtures.ts";
import { connectCell, connectDirectory } from "../../src/db/client.ts";
import { migrate } from "./migrate.ts";
import { root } from "./processes.ts";
import { type Stores, withStores } from "./stores.ts";

// A separate program, started by stack.ts: node tools/local/seed.ts <state directory> <the sandbox's origin>
// <fixtures|empty> <cells>
const [stateDir = "", sandbox = "", content = "fixtures", cells = "1"] = process.argv.slice(2);

await withStores(stateDir, Number(cells), async ({ bound, databases }) => {
  for (const { binding, migrations_dir } of databases) {
    const database = isDatabase(binding) ? bound[binding] : undefined;
    if (database !== undefined) await migrate(database, join(root, migrations_dir));
  }
  const { DIRECTORY, CELL_1 } = bound;
  if (content === "fixtures") await loadFixtures({ directory: connectDirectory(DIRECTORY), cell: connectCell(CELL_1) }, sandbox);
  await followSandbox(bound);
});

/** Updates links that were created while the sandbox had another port, so that they lead to the current port. */
async function followSandbox({ CELL_1, SHORT_LINKS }: Pick<Stores["bound"], "CELL_1" | "SHORT_LINKS">): Promise<void> {
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
