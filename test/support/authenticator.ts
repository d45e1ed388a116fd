import type { Answer } from "./answer.ts";
import { send } from "./api.ts";
import { EDGE } from "./stack.ts";

/**
 * An authenticator in software (WebAuthn, level 3): it makes real key pairs, and signs as a phone or a security key does.
 * It is one device, with any number of passkeys.
 */

const encoder = new TextEncoder();
const UP_UV = 0x05;
const ATTESTED = 0x40;

const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const sha256 = async (bytes: Uint8Array) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const joined = (...parts: readonly (Uint8Array | readonly number[])[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** What an answer of the browser may claim, so that tests can claim something else. */
interface Claims {
  /** The answer was made in a frame of another page. */
  readonly crossOrigin?: boolean;
  readonly topOrigin?: string;
  /** The form of the attestation. */
  readonly fmt?: string;
  readonly origin?: string;
  readonly host?: string;
  readonly flags?: number;
  /** Added to the signature counter. */
  readonly step?: number;
  /** The signature counter itself: 0 for an authenticator that does not count. */
  readonly counter?: number;
  /** Changes the signed bytes after they were signed. */
  readonly forged?: boolean;
}

interface Passkey {
  readonly id: Uint8Array;
  readonly keys: CryptoKeyPair;
}

export class Authenticator {
  readonly #passkeys: Passkey[] = [];
  #counter = 0;

  /** The answer of `navigator.credentials.create`. */
  async create({ challenge }: { readonly challenge: string }, claims: Claims = {}) {
    const generated = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
    const keys = generated as CryptoKeyPair;
    const id = crypto.getRandomValues(new Uint8Array(16));
    this.#passkeys.push({ id, keys });
    const raw = new Uint8Array((await crypto.subtle.exportKey("raw", keys.publicKey)) as ArrayBuffer);
    // COSE: kty EC2, alg ES256, crv P-256, and the coordinates.
    const cose = joined([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32], raw.slice(1, 33), [0x22, 0x58, 32], raw.slice(33));
    const attested = joined(new Uint8Array(16), [0, id.length], id, cose);
    const authData = joined(await this.#authData(ATTESTED | UP_UV, claims), attested);
    const text = (word: string) => joined([0x60 + word.length], encoder.encode(word));
    const attestation = joined(
      [0xa3],
      text("fmt"),
      text(claims.fmt ?? "none"),
      text("attStmt"),
      [0xa0],
      text("authData"),
      [0x58, authData.length],
      authData,
    );
    return {
      ...named(id),
      response: {
        clientDataJSON: toBase64Url(clientData("webauthn.create", challenge, claims)),
        attestationObject: toBase64Url(attestation),
        transports: ["internal"],
      },
    };
  }

  /** The answer of `navigator.credentials.get`, with the newest passkey. */
  async get({ challenge }: { readonly challenge: string }, claims: Claims = {}) {
    const passkey = this.#passkeys.at(-1);
    if (passkey === undefined) throw new Error("this device has no passkey");
    const data = clientData("webauthn.get", challenge, claims);
    const authData = await this.#authData(UP_UV, claims);
    const signed = joined(authData, await sha256(data));
    const signature = new Uint8Array(await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, passkey.keys.privateKey, signed));
    if (claims.forged === true) signature[10] = (signature[10] ?? 0) ^ 1;
    return {
      ...named(passkey.id),
      response: { clientDataJSON: toBase64Url(data), authenticatorData: toBase64Url(authData), signature: toBase64Url(derOf(signature)) },
    };
  }

  async #authData(flags: number, { host = new URL(EDGE).hostname, flags: claimed = flags, step = 1, counter: sent }: Claims) {
    this.#counter = sent ?? this.#counter + step;
    const counter = new DataView(new ArrayBuffer(4));
    counter.setUint32(0, this.#counter);
    return joined(await sha256(encoder.encode(host)), [claimed], new Uint8Array(counter.buffer));
  }
}

function named(id: Uint8Array) {
  return { id: toBase64Url(id), rawId: toBase64Url(id), type: "public-key", clientExtensionResults: {} };
}

function clientData(type: string, challenge: string, { origin = EDGE, crossOrigin = false, topOrigin }: Claims): Uint8Array {
  return encoder.encode(JSON.stringify({ type, challenge, origin, crossOrigin, topOrigin }));
}

/** An ECDSA signature in the form of WebAuthn (DER). */
function derOf(signature: Uint8Array): Uint8Array {
  const number = (bytes: Uint8Array) => {
    const first = bytes.findIndex((byte) => byte !== 0);
    const digits = bytes.slice(Math.max(first, 0));
    const positive = (digits[0] ?? 0) > 127 ? [0, ...digits] : digits;
    return [2, positive.length, ...positive];
  };
  const content = [...number(signature.slice(0, 32)), ...number(signature.slice(32))];
  return Uint8Array.from([0x30, content.length, ...content]);
}

/** A person's browser: it keeps the session's cookie, and sends what pages of the dashboard send. */
export class Person {
  readonly device = new Authenticator();
  cookie = "";

  /** A call of the dashboard's page. `headers` replace what the page would send. */
  async ask(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await send(`/partner/${path}`, {
      method,
      headers: {
        ...(method === "GET" ? {} : { Origin: EDGE, "Content-Type": "application/json" }),
        ...(this.cookie === "" ? {} : { Cookie: this.cookie }),
        "User-Agent": "A browser of the tests",
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const set of answer.headers.getSetCookie()) this.cookie = /Max-Age=0/i.test(set) ? "" : (set.split(";")[0] ?? "");
    return answer;
  }

  get(path: string): Promise<Answer> {
    return this.ask("GET", path);
  }

  /** Accepts an invitation with a new passkey. */
  async accept(token: string, claims: Claims = {}): Promise<Answer> {
    const { status, body } = await this.ask("POST", "invitation/challenge", { token });
    if (status !== 200) throw new Error(`the invitation is not open: ${JSON.stringify(body)}`);
    return this.ask("POST", "invitation", { token, response: await this.device.create(body.options, claims), label: "My phone" });
  }

  /** Uses the passkey again in the session. */
  async verify(claims: Claims = {}): Promise<Answer> {
    const { body } = await this.ask("POST", "session/verification/challenge");
    return this.ask("POST", "session/verification", { response: await this.device.get(body.options, claims) });
  }

  async signIn(claims: Claims = {}): Promise<Answer> {
    const { body } = await this.ask("POST", "sign-in/challenge");
    return this.ask("POST", "sign-in", { response: await this.device.get(body.options, claims) });
  }
}

/** The token of an invitation's link. */
export const tokenIn = (url: string) => url.slice(url.indexOf("#") + 1);

/** The token of a new invitation of a person, from an operator. */
export async function invitationOf(employee: string): Promise<string> {
  const { status, body } = await send(`/ops/employees/${employee}/invitation`, {
    method: "POST",
    headers: { Authorization: "Bearer ops-local" },
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return tokenIn(body.url);
}
