import { toBase64, toHex } from "./digest.ts";
import type { Environment } from "./environment.ts";
import type { Settings } from "./settings.ts";

/** Encrypts signing secrets, so that the database holds no plain ones. */
export interface SecretCipher {
  /** The id of the key that encrypts new texts. An encrypted text begins with the id of its key. */
  readonly currentKey: string;
  /** `context` names the owner of the text, and is authenticated: another context does not decrypt it. */
  encrypt(text: string, context: string): Promise<string>;
  decrypt(encrypted: string, context: string): Promise<string>;
}

const encoder = new TextEncoder();
const IV_BYTES = 12;

/**
 * AES-256-GCM with a key from the Worker's secrets. An encrypted text is `<key id>.<iv>.<ciphertext>`, so that the key
 * can be rotated: the current key encrypts new texts, and each text is decrypted with the key that it names.
 */
export function createSecretCipher(keys: Settings["encryptionKeys"]): SecretCipher {
  const imported = new Map<string, Promise<CryptoKey>>();
  const keyOf = (id: string): Promise<CryptoKey> => {
    const material = Object.hasOwn(keys.keys, id) ? keys.keys[id] : undefined;
    if (material === undefined) throw new Error(`no encryption key with id ${id}`);
    const known = imported.get(id) ?? crypto.subtle.importKey("raw", fromBase64(material), "AES-GCM", false, ["encrypt", "decrypt"]);
    imported.set(id, known);
    return known;
  };
  return {
    currentKey: keys.current,
    async encrypt(text, context) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const encrypted = await crypto.subtle.encrypt(algorithm(iv, context), await keyOf(keys.current), encoder.encode(text));
      return `${keys.current}.${toBase64(iv)}.${toBase64(new Uint8Array(encrypted))}`;
    },
    async decrypt(encrypted, context) {
      const [id = "", iv = "", ciphertext = ""] = encrypted.split(".");
      const opened = await crypto.subtle.decrypt(algorithm(fromBase64(iv), context), await keyOf(id), fromBase64(ciphertext));
      return new TextDecoder().decode(opened);
    },
  };
}

function algorithm(iv: Uint8Array, context: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(context) };
}

/** A new signing secret: its environment's prefix and 32 random bytes in hexadecimal. */
export function newSigningSecret(environment: Environment): string {
  return `whsec_${environment}_${toHex(crypto.getRandomValues(new Uint8Array(32)))}`;
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
