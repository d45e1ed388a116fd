import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../local/processes.ts";
import { version } from "../release/version.ts";

const FOLDER = join(root, "packages", "skills");
const PATH = ".well-known/agent-skills";

/**
 * What agents' hosts find of skills (agent skills discovery 0.2.0): an index with digests, and each skill. They name no address, so that
 * they are served as they are and their digests hold.
 */
export function skillFiles(): (readonly [path: string, content: string])[] {
  const skills = readdirSync(FOLDER)
    .toSorted()
    .map((folder) => {
      const text = readFileSync(join(FOLDER, folder, "SKILL.md"), "utf8").replaceAll("VERSION", version);
      const fieldOf = (name: string) => new RegExp(`^${name}: (.+)$`, "m").exec(text)?.[1] ?? "";
      return { name: fieldOf("name"), description: fieldOf("description"), path: `${PATH}/${folder}/SKILL.md`, text };
    });
  const index = {
    $schema: "https://schemas.agentskills.io/discovery/0.2.0/schema.json",
    skills: skills.map(({ name, description, path, text }) => ({
      name,
      type: "skill-md",
      description,
      url: `/${path}`,
      digest: `sha256:${createHash("sha256").update(text).digest("hex")}`,
    })),
  };
  return [[`${PATH}/index.json`, JSON.stringify(index, null, 2)], ...skills.map(({ path, text }) => [path, text] as const)];
}
