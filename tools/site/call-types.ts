import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runTool } from "../local/processes.ts";

/** It needs an earlier TypeScript than the rest, so it is installed beside the pages. */
const GENERATOR = join(root, "dashboard", "node_modules", ".bin", "openapi-typescript");

/** The types of the calls of an API description. `folder`: where temporary files may lie. */
export async function typesOf(description: object, folder: string): Promise<string> {
  const [source, made] = [join(folder, `description-${process.pid}.json`), join(folder, `schema-${process.pid}.d.ts`)];
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(source, JSON.stringify(description));
    const code = await runTool(GENERATOR, [source, "--output", made], { quiet: true });
    if (code !== 0) throw new Error("the types of the calls could not be generated; the lines above say why");
    return readFileSync(made, "utf8");
  } finally {
    for (const file of [source, made]) rmSync(file, { force: true });
  }
}
