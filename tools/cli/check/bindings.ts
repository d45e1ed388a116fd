import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runTool } from "../../local/processes.ts";

/** Compiles only if what wrangler.toml binds is what the Worker expects, and the Worker expects nothing else. */
const COMPARISON = `import type { Bindings } from "../../../src/env.ts";

type Setting = { [Name in keyof Env]: Env[Name] extends string ? Name : never }[keyof Env];
type Bound = Omit<Env, Setting>;
/** The names of further cells are a pattern, and the sender of e-mail stands in a comment: an account need not have one. */
type Named<T> = { [Name in keyof T as string extends Name ? never : Name extends \`CELL_\${number}\` | "MAIL" ? never : Name]: true };

export const asExpected = (bound: Bound): Bindings => bound;
export const nothingElse: Required<Named<Bindings>> = {} as Named<Bound>;
export const noneForgotten: Named<Bound> = {} as Required<Named<Bindings>>;
`;

/** Compares the type of the Worker's bindings with what wrangler says of its configuration. Returns the exit code. */
export async function checkBindings(): Promise<number> {
  // Below the project's folder, so that the sources are found from it.
  const parent = join(root, ".wrangler", "bindings");
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, "check-"));
  try {
    const types = join(folder, "configured.d.ts");
    const env = { SITE: "built" };
    const written = await runTool("wrangler", ["types", types, "--include-runtime=false"], { quiet: true, env });
    if (written !== 0) return written;
    writeFileSync(join(folder, "comparison.ts"), COMPARISON);
    const project = { extends: "../../../tsconfig.json", include: ["*.ts"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
    const code = await runTool("tsc", ["--project", folder], { quiet: true });
    if (code !== 0) console.error("src/env.ts and wrangler.toml differ in what is bound: the lines above name it.");
    return code;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
