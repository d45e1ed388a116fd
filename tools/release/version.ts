import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { root } from "../local/processes.ts";

const releaseSchema = z.object({ version: z.string().regex(/^\d+\.\d+\.\d+$/) });

/** The version of all packages. What was once published under a version never changes. */
export const { version } = releaseSchema.parse(JSON.parse(readFileSync(join(root, "packages", "release.json"), "utf8")));
