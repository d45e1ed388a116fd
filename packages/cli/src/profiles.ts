import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import { RemoteFault } from "../../../tools/cli/remote/edge.ts";

/** A service and the key for it, under a name. */
const profileSchema = z.object({ url: z.string(), key: z.string() });
const profilesSchema = z.record(z.string(), profileSchema);
type Profile = z.output<typeof profileSchema>;

/** The profile without a name. */
export const DEFAULT_PROFILE = "default";

/** The file of the profiles, in the system's folder for settings. Only its owner can read it. */
export function profilesFile(): string {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  const folder = process.platform === "win32" ? APPDATA : XDG_CONFIG_HOME;
  return join(folder === undefined || folder === "" ? join(homedir(), ".config") : folder, "ppay", "profiles.json");
}

function readProfiles(): Record<string, Profile> {
  let text: string;
  try {
    text = readFileSync(profilesFile(), "utf8");
  } catch {
    return {}; // There is none yet.
  }
  try {
    return profilesSchema.parse(JSON.parse(text));
  } catch {
    throw new RemoteFault(`${profilesFile()} is damaged. Delete it, and sign in again.`);
  }
}

/** A profile by its name; undefined if there is none. @throws RemoteFault if the file is damaged */
export const readProfile = (name: string): Profile | undefined => readProfiles()[name];

/** Stores a profile, or removes it. Returns whether it was there before. */
export function storeProfile(name: string, profile: Profile | null): boolean {
  const { [name]: before, ...others } = readProfiles();
  const file = profilesFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Written to a temporary file and renamed, so that an interrupted command leaves what was there.
  const made = `${file}.${process.pid}`;
  writeFileSync(made, `${JSON.stringify(profile === null ? others : { ...others, [name]: profile }, null, 2)}\n`, { mode: 0o600 });
  chmodSync(made, 0o600);
  renameSync(made, file);
  return before !== undefined;
}
