import { type Clock, MINUTE } from "../../core/clock.ts";
import { toHex } from "../../core/digest.ts";
import { isSealed, type SealKeys, sealOf } from "../../core/seal.ts";

/** How long a browser may take to sign a challenge: a person looks for the device, and unlocks it. */
const CHALLENGE_LASTS = 10 * MINUTE;
const RANDOM_BYTES = 16;
const SEAL_LENGTH = 32;

interface ChallengeDeps {
  readonly clock: Clock;
  readonly settings: { readonly encryptionKeys: SealKeys };
}

/**
 * A new challenge for one purpose: random bytes, the end of its time, and our seal of both. It is stored nowhere, so a
 * stranger who asks for many costs nothing. What it was signed for makes it unique: a session, or a passkey.
 */
export async function newChallenge({ clock, settings }: ChallengeDeps, purpose: string): Promise<string> {
  const random = toHex(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
  const content = `${random}.${clock.now() + CHALLENGE_LASTS}`;
  return `${content}.${await sealOf(settings.encryptionKeys, "challenge", `${purpose} ${content}`, SEAL_LENGTH)}`;
}

/** When a challenge of ours was made, in Unix milliseconds. */
export function issuedAt(challenge: string): number {
  return Number(challenge.split(".")[1]) - CHALLENGE_LASTS;
}

/** Whether we made the challenge for this purpose, and its time is not over. */
export async function isOwnChallenge({ clock, settings }: ChallengeDeps, purpose: string, challenge: string): Promise<boolean> {
  const [random = "", until = "", seal = "", ...rest] = challenge.split(".");
  if (rest.length > 0 || seal.length !== SEAL_LENGTH || Number(until) <= clock.now()) return false;
  return isSealed(settings.encryptionKeys, "challenge", `${purpose} ${random}.${until}`, seal);
}
