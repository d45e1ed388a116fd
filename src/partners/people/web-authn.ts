import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import * as z from "zod";
import { parseJson } from "../../core/json.ts";

/**
 * The library is loaded with the first sign-in. It knows nothing of our rows: this file is the only one that knows it.
 */
const library = () => import("@simplewebauthn/server");

/** The name that a person's device shows for the service. */
const SERVICE_NAME = "Partner dashboard";

export type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
};

/** A registered passkey. */
export interface NewPasskey {
  readonly id: string;
  /** COSE, Base64url. */
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Whether a signed challenge is one of ours. */
export type IsOwnChallenge = (challenge: string) => Promise<boolean>;

const isTransport = (text: string): text is Transport => (TRANSPORTS as readonly string[]).includes(text);
const TRANSPORTS = ["ble", "cable", "hybrid", "internal", "nfc", "smart-card", "usb"] as const;
type Transport = (typeof TRANSPORTS)[number];

/** What the browser needs to make a passkey: on the device or on a security key, always with the person verified. */
export async function registrationOptions(
  origin: string,
  person: { readonly id: string; readonly name: string },
  known: readonly { readonly id: string; readonly transports: readonly string[] }[],
  challenge: string,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpID: new URL(origin).hostname,
    rpName: SERVICE_NAME,
    userID: Uint8Array.from(new TextEncoder().encode(person.id)),
    userName: person.name,
    userDisplayName: person.name,
    challenge,
    attestationType: "none",
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: transports.filter(isTransport) })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** What the browser needs to sign in with any passkey of this service. */
export async function signInOptions(origin: string, challenge: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({ rpID: new URL(origin).hostname, challenge, userVerification: "required" });
}

/** The passkey that a browser made; null if the answer is not valid for this origin and one of our challenges. */
export async function readRegistration(
  origin: string,
  response: RegistrationResponseJSON,
  isOwn: IsOwnChallenge,
): Promise<NewPasskey | null> {
  if (isFramed(response.response.clientDataJSON) || !(await isUnattested(response.response.attestationObject))) return null;
  const { verifyRegistrationResponse } = await library();
  const verified = await orRefused(() =>
    verifyRegistrationResponse({ response, ...expected(origin, isOwn), supportedAlgorithmIDs: ALGORITHMS }),
  );
  if (verified === null || !verified.verified) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return { id, publicKey: toBase64Url(publicKey), counter, transports: (response.response.transports ?? []).filter(isTransport) };
}

/** EdDSA, ES256 and RS256, which all authenticators of today have between them. */
const ALGORITHMS = [-8, -7, -257];

/**
 * The signature counter after a sign-in; null if the signature is not valid for this passkey, this origin and one of our
 * challenges, or if the counter went back, as that of a copied passkey does.
 */
export async function readSignIn(
  origin: string,
  response: AuthenticationResponseJSON,
  passkey: NewPasskey,
  isOwn: IsOwnChallenge,
): Promise<{ readonly counter: number } | null> {
  if (isFramed(response.response.clientDataJSON)) return null;
  const { verifyAuthenticationResponse } = await library();
  const { id, counter } = passkey;
  const credential = { id, counter, publicKey: fromBase64Url(passkey.publicKey) };
  const verified = await orRefused(() => verifyAuthenticationResponse({ response, credential, ...expected(origin, isOwn) }));
  return verified === null || !verified.verified ? null : { counter: verified.authenticationInfo.newCounter };
}

const clientDataSchema = z.object({ crossOrigin: z.boolean().optional(), topOrigin: z.string().optional() });

/** Whether an answer was made in a frame of another site's page, or its client data cannot be read: such answers are refused. */
function isFramed(clientDataJSON: string): boolean {
  try {
    const { crossOrigin = false, topOrigin } = parseJson(clientDataSchema, textOf(clientDataJSON));
    return crossOrigin || topOrigin !== undefined;
  } catch {
    return true;
  }
}

/**
 * Whether a new passkey comes without attestation, as we ask for it. Checked before anything else of it is parsed: certificates of
 * a device's maker are a large input that the service needs nothing of.
 */
async function isUnattested(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const decoded = await orRefused(() => Promise.resolve(decodeAttestationObject(fromBase64Url(attestationObject))));
  return decoded?.get("fmt") === "none";
}

/** What both kinds of answers must agree with. */
function expected(origin: string, isOwn: IsOwnChallenge) {
  return {
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    expectedChallenge: (given: string) => isOwn(textOf(given)),
    requireUserVerification: true,
  };
}

/** The library throws for every answer that it cannot read or that does not agree. */
async function orRefused<Result>(verify: () => Promise<Result>): Promise<Result | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}

/** The challenge that a browser signed: the Base64url of our text. */
function textOf(signed: string): string {
  return new TextDecoder().decode(fromBase64Url(signed));
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
