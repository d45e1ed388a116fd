import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";

export type FileContent = Uint8Array | string;

/** In milliseconds: older folders were left by a killed build, or belong to another state. */
const OLD = 60 * 60_000;

/** The files below a folder, with their paths from it. */
export function filesBelow(folder: string): [path: string, content: Uint8Array][] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries
    .map((entry): [string, Uint8Array] => {
      const file = join(entry.parentPath, entry.name);
      return [relative(folder, file).replaceAll("\\", "/"), readFileSync(file)];
    })
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}

/** Renames a finished build to the name of its state. Another build may have finished first, with the same output. */
export function keepFinished(made: string, kept: string): void {
  try {
    renameSync(made, kept);
  } catch (thrown) {
    if (!existsSync(kept)) throw thrown;
    rmSync(made, { recursive: true, force: true });
  }
}

/** Removes the old entries of a folder of kept builds. */
export function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) if (isOld(join(folder, name))) rmSync(join(folder, name), { recursive: true, force: true });
}

function isOld(path: string): boolean {
  return Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > OLD;
}
