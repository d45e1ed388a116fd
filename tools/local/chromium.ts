import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The path of a local Chromium: the value of `CHROMIUM`, or the first one on the PATH. Undefined if there is none. */
export const chromiumPath: string | undefined =
  process.env.CHROMIUM ||
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find((file) => existsSync(file));
