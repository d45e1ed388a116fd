import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../tools/local/processes.ts";

/** A file of the project. */
export const read = (file: string) => readFile(join(root, file), "utf8");

/** The code blocks of a page that say of themselves that a test executes them. */
export async function executedBlocks(file: string, language: string): Promise<string[]> {
  const pattern = new RegExp(
    `<!-- [^>]*(?:documentation|verifiers|receivers|quickstart)\\.test\\.ts[^>]*-->\\n\`\`\`${language}(?: \\[[^\\]]+\\])?\\n(.*?)\`\`\``,
    "gs",
  );
  return [...(await read(file)).matchAll(pattern)].map(([, code]) => code ?? "");
}
