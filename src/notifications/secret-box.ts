import { toHex } from "../core/digest.ts";
import type { Settings } from "../core/settings.ts";

/** Keeps signing secrets unreadable in the database. */
export interface SecretBox {
  /** The id of the key that texts are sealed with now; a sealed text begins with its key's. */
  readonly currentKey: string;
  /** `context` is where the text belongs: sealed for one place, it does not open for another. */
  seal(text: string, context: string): Promise<string>;
  open(sealed: string, context: string): Promise<string>;
}

const encoder = new TextEncoder();
const IV_BYTES = 12;

/**
 * AES-256-GCM with a key from the Worker's secrets. A sealed text is `<key id>.<iv>.<ciphertext>`, so that the key
 * can be changed: new texts are sealed with the current key, old ones open with the key that they name.
 */
export function openSecretBox(keys: Settings["encryptionKeys"]): SecretBox {
  const imported = new Map<string, Promise<CryptoKey>>();
  const keyOf = (id: string): Promise<CryptoKey> => {
    const material = keys.keys[id];
    if (material === undefined) throw new Error(`no encryption key is called ${id}`);
    const known = imported.get(id) ?? crypto.subtle.importKey("raw", fromBase64(material), "AES-GCM", false, ["encrypt", "decrypt"]);
    imported.set(id, known);
    return known;
  };
  return {
    currentKey: keys.current,
    async seal(text, context) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
      const sealed = await crypto.subtle.encrypt(algorithm(iv, context), await keyOf(keys.current), encoder.encode(text));
      return `${keys.current}.${toBase64(iv)}.${toBase64(new Uint8Array(sealed))}`;
    },
    async open(sealed, context) {
      const [id = "", iv = "", ciphertext = ""] = sealed.split(".");
      const opened = await crypto.subtle.decrypt(algorithm(fromBase64(iv), context), await keyOf(id), fromBase64(ciphertext));
      return new TextDecoder().decode(opened);
    },
  };
}

function algorithm(iv: Uint8Array, context: string) {
  return { name: "AES-GCM", iv, additionalData: encoder.encode(context) };
}

/** A new signing secret: its environment's prefix and 32 random bytes in hexadecimal. */
export function newSigningSecret(environment: "live" | "test"): string {
  return `whsec_${environment}_${toHex(crypto.getRandomValues(new Uint8Array(32)))}`;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
