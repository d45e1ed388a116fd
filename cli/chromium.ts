import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A Chromium of this machine: what `CHROMIUM` names, or one on the path. Undefined where there is none. */
export const chromiumPath: string | undefined =
  process.env.CHROMIUM ||
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
