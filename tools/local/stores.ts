import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { parse } from "smol-toml";
import * as z from "zod";
import type { CellBindings } from "../../src/db/cell-bindings.ts";
import type { Bindings } from "../../src/env.ts";
import { furtherCells } from "./further-cells.ts";
import { root } from "./processes.ts";

const storesSchema = z.object({
  compatibility_date: z.string(),
  d1_databases: z.array(z.looseObject({ binding: z.string(), database_id: z.string(), migrations_dir: z.string() })),
  kv_namespaces: z.tuple([z.object({ binding: z.literal("SHORT_LINKS"), id: z.string() })]),
});

/** The local databases and KV of a state directory, opened without the Worker. */
export interface Stores {
  readonly bound: CellBindings & Pick<Bindings, "DIRECTORY" | "SHORT_LINKS">;
  readonly databases: readonly { readonly binding: string; readonly migrations_dir: string }[];
}

/** Opens the databases and KV by their ids in wrangler.toml, so that `wrangler dev` finds the data, and closes them after use. */
export async function withStores(stateDir: string, cells: number, use: (stores: Stores) => Promise<void>): Promise<void> {
  const own = storesSchema.parse(parse(readFileSync(join(root, "wrangler.toml"), "utf8")));
  const databases = [...own.d1_databases, ...furtherCells(cells)];
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
    await use({ bound: await runtime.getBindings<Stores["bound"]>("seed"), databases });
  } finally {
    await runtime.dispose();
  }
}
