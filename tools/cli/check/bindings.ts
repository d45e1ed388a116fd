import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runTool } from "../../local/processes.ts";

/** Each Worker's configuration, the name of what it binds, and the type that its code expects. */
const WORKERS = [
  { config: "wrangler.toml", bound: "ApiEnv", expected: 'import type { Bindings } from "../../../src/env.ts";' },
  {
    config: "wrangler.links.toml",
    bound: "LinksEnv",
    expected: 'import type { LinkBindings as Bindings } from "../../../src/links-isolate.ts";',
  },
];

/** Compiles only if what a configuration binds is what its Worker expects, and the Worker expects nothing else. */
const comparisonOf = ({ bound, expected }: (typeof WORKERS)[number]) => `${expected}

type Setting = { [Name in keyof ${bound}]: ${bound}[Name] extends string ? Name : never }[keyof ${bound}];
type Bound = Omit<${bound}, Setting>;
/** The names of further cells are a pattern, and the sender of e-mail stands in a comment: an account need not have one. */
type Named<T> = { [Name in keyof T as string extends Name ? never : Name extends \`CELL_\${number}\` | "MAIL" ? never : Name]: true };

export const asExpected = (bound: Bound): Bindings => bound;
export const nothingElse: Required<Named<Bindings>> = {} as Named<Bound>;
export const noneForgotten: Named<Bound> = {} as Required<Named<Bindings>>;
`;

/** Compares the types of both Workers' bindings with what wrangler says of their configurations. Returns the exit code. */
export async function checkBindings(): Promise<number> {
  // Below the project's folder, so that the sources are found from it.
  const parent = join(root, ".wrangler", "bindings");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "check-"));
  try {
    for (const worker of WORKERS) {
      const types = join(folder, `${worker.bound}.d.ts`);
      const options = ["--include-runtime=false", "--env-interface", worker.bound, "--config", worker.config];
      const written = await runTool("wrangler", ["types", types, ...options], { quiet: true, env: { SITE: "built" } });
      if (written !== 0) return written;
      writeFileSync(join(folder, `${worker.bound}-comparison.ts`), comparisonOf(worker));
    }
    const project = { extends: "../../../tsconfig.json", include: ["*.ts", "../../../src/node-async-hooks.d.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
    const code = await runTool("tsc", ["--project", folder, "--checkers", "1"], { quiet: true });
    if (code !== 0) console.error("A configuration and its Worker differ in what is bound: the lines above name it (ApiEnv, LinksEnv).");
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
