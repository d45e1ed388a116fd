import * as z from "zod";
import { askPerson, isInteractive } from "../../../tools/cli/prompt.ts";
import { originOf, RemoteFault, requirePrintable } from "../../../tools/cli/remote/edge.ts";
import { callPartner, edgeWith } from "./edge.ts";
import { profilesFile, storeProfile } from "./profiles.ts";

const settingsSchema = z.looseObject({ time_zone: z.string() });

/** `login`: asks for the address and the key, tries them, and keeps them under a name. Returns the exit code. */
export async function signIn(profile: string, given: unknown): Promise<number> {
  return orMessage(async () => {
    const url = originOf(
      given ?? process.env.PARTNER_API_BASE ?? (await ask("Service", "its address, such as https://api.example.com", false)),
      undefined,
      "your key",
    );
    const key = process.env.PARTNER_API_KEY ?? (await ask("Key", `your key for ${url}`, true));
    requirePrintable(key, "The key");
    await callPartner(edgeWith(url, key), "GET", "settings", settingsSchema);
    storeProfile(profile, { url, key });
    console.log(`Signed in to ${url}. The key is kept in ${profilesFile()}, which only you can read.`);
  });
}

/** `logout`: forgets the address and the key of a name. */
export async function signOut(profile: string): Promise<number> {
  return orMessage(() => {
    console.log(
      storeProfile(profile, null) ? "Signed out. The key still works; `ppay keys revoke` ends it." : "Nothing was kept under this name.",
    );
    return Promise.resolve();
  });
}

async function ask(name: string, what: string, isSecret: boolean): Promise<string> {
  if (!isInteractive)
    throw new RemoteFault("There is no terminal to ask: set PARTNER_API_BASE and PARTNER_API_KEY, which `login` then keeps.");
  return askPerson({ name, what, isSecret });
}

async function orMessage(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    console.error(thrown.message);
    return 1;
  }
}
