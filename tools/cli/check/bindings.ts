import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runTool } from "../../local/processes.ts";

/** Compiles only if what a configuration binds is what its Worker expects, and the Worker expects nothing else. */
const comparisonOf = (expected: string) => `${expected}

type Setting = { [Name in keyof Env]: Env[Name] extends string ? Name : never }[keyof Env];
type Bound = Omit<Env, Setting>;
/** The names of further cells are a pattern, and the sender of e-mail stands in a comment: an account need not have one. */
type Named<T> = { [Name in keyof T as string extends Name ? never : Name extends \`CELL_\${number}\` | "MAIL" ? never : Name]: true };

export const asExpected = (bound: Bound): Bindings => bound;
export const nothingElse: Required<Named<Bindings>> = {} as Named<Bound>;
export const noneForgotten: Named<Bound> = {} as Required<Named<Bindings>>;
`;

/** Compares the types of both Workers' bindings with what wrangler says of their configurations. Returns the exit code. */
export async function checkBindings(): Promise<number> {
  const code = await checkBinding("wrangler.toml", 'import type { Bindings } from "../../../src/env.ts";');
  return code === 0
    ? checkBinding("wrangler.links.toml", 'import type { LinkBindings as Bindings } from "../../../src/links-isolate.ts";')
    : code;
}

async function checkBinding(config: string, expected: string): Promise<number> {
  // Below the project's folder, so that the sources are found from it.
  const parent = join(root, ".wrangler", "bindings");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "check-"));
  try {
    const types = join(folder, "configured.d.ts");
    const env = { SITE: "built" };
    const written = await runTool("wrangler", ["types", types, "--include-runtime=false", "--config", config], { quiet: true, env });
    if (written !== 0) return written;
    writeFileSync(join(folder, "comparison.ts"), comparisonOf(expected));
    const project = { extends: "../../../tsconfig.json", include: ["*.ts", "../../../src/node-async-hooks.d.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
    const code = await runTool("tsc", ["--project", folder], { quiet: true });
    if (code !== 0) console.error(`${config} and its Worker differ in what is bound: the lines above name it.`);
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
