import { type FSWatcher, watch } from "node:fs";
import { join } from "node:path";
import { root, runTool } from "./processes.ts";

/** What the documentation and the API description are made of. */
const SOURCES = ["src", "docs", "tools/site"];
/** A save may touch several files. In milliseconds. */
const AFTER_CHANGE = 300;

/** Makes what the Worker serves as files. A failure is printed, and what was made before stays. */
export async function makeSite(signal?: AbortSignal): Promise<void> {
  const code = await runTool(join(root, "tools", "cli", "start.mjs"), ["site"], signal === undefined ? {} : { quiet: true, signal });
  if (code !== 0 && signal?.aborted !== true) console.error("The documentation and the API description stay as they were before.");
}

/**
 * Makes it again after each change of a source, beside the edge: a changed Worker is served without waiting for it.
 * Returns a function that ends this.
 */
export function keepSite(): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isMaking = false;
  let isDue = false;
  const make = async () => {
    isDue = true;
    if (isMaking) return;
    isMaking = true;
    while (isDue) {
      isDue = false;
      await makeSite();
    }
    isMaking = false;
  };
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void make(), AFTER_CHANGE);
  };
  const watchers: FSWatcher[] = SOURCES.map((folder) => watch(join(root, folder), { recursive: true }, changed));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
