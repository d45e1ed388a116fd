/** The minimum entropy of a deployed secret in bits, from the frequency of its characters (Shannon). */
const MIN_BITS = { OPS_TOKEN: 90, eventSecret: 60, bankPassword: 20 } as const;
/** The minimum length of the operators' token. */
const MIN_OPS_TOKEN = 32;
/** About 30 of 32 random bytes are distinct. */
const MIN_DISTINCT_BYTES = 20;

interface Secrets {
  readonly OPS_TOKEN: string;
  readonly PROCESSOR_EVENT_SECRET_LIVE: string;
  readonly PROCESSOR_EVENT_SECRET_TEST: string;
  readonly BANK_TERMINALS: Readonly<Record<"live" | "test", Readonly<Record<string, { readonly password: string }>>>>;
}

/** The settings whose secrets are guessable, each with the reason. The messages never show a value. */
export function weakSecrets(secrets: Secrets, encryptionKeys: readonly string[]): string[] {
  const { OPS_TOKEN, BANK_TERMINALS } = secrets;
  const weak: string[] = [];
  if (OPS_TOKEN.length < MIN_OPS_TOKEN) weak.push(`OPS_TOKEN must have at least ${MIN_OPS_TOKEN} characters`);
  else if (bitsOf(OPS_TOKEN) < MIN_BITS.OPS_TOKEN || hasSequence(OPS_TOKEN))
    weak.push("OPS_TOKEN must be random, as `openssl rand -hex 32` makes it");
  for (const name of ["PROCESSOR_EVENT_SECRET_LIVE", "PROCESSOR_EVENT_SECRET_TEST"] as const) {
    if (bitsOf(secrets[name].replace(/^whsec_/, "")) < MIN_BITS.eventSecret)
      weak.push(`${name} must be the processor's own signing secret`);
  }
  for (const terminals of [BANK_TERMINALS.live, BANK_TERMINALS.test]) {
    for (const [name, { password }] of Object.entries(terminals)) {
      if (bitsOf(password) < MIN_BITS.bankPassword)
        weak.push(`BANK_TERMINALS: the password of ${JSON.stringify(name)} is not a valid bank password`);
    }
  }
  if (encryptionKeys.some((bytes) => new Set(bytes).size < MIN_DISTINCT_BYTES || isText(bytes))) {
    weak.push("SECRET_ENCRYPTION_KEYS must contain random bytes, for example from `openssl rand -base64 32`, and not a text");
  }
  return weak;
}

/** The entropy of a text by the frequency of its characters, in bits. */
function bitsOf(text: string): number {
  const characters = Array.from(text);
  const counts = [...Map.groupBy(characters, (character) => character).values()].map((same) => same.length);
  return counts.reduce((bits, count) => bits - count * Math.log2(count / characters.length), 0);
}

/**
 * Whether four characters follow one another in the alphabet. In 64 random characters this happens once in a thousand
 * texts.
 */
function hasSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return codes.some((code, at) => [1, 2, 3, 4].every((ahead) => codes[at + ahead] === code + ahead));
}

/**
 * Whether all bytes are printable ASCII. For 32 random bytes this happens once in 10^13. One character stands for each
 * byte.
 */
function isText(bytes: string): boolean {
  return /^[\x20-\x7e]{1,64}$/.test(bytes);
}
