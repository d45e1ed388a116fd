/** What a deployed Worker's secrets need, in bits of entropy as their characters show it (Shannon, of one text). */
const MIN_BITS = { OPS_TOKEN: 90, eventSecret: 60, bankPassword: 20 } as const;
/** A token that protects everything must not be guessed. */
const MIN_OPS_TOKEN = 32;
/** Of 32 random bytes, some 30 differ. */
const MIN_DISTINCT_BYTES = 20;

interface Secrets {
  readonly OPS_TOKEN: string;
  readonly PROCESSOR_EVENT_SECRET_LIVE: string;
  readonly PROCESSOR_EVENT_SECRET_TEST: string;
  readonly BANK_TERMINALS: Readonly<Record<"live" | "test", Readonly<Record<string, { readonly password: string }>>>>;
}

/** The settings whose secrets can be guessed, each with what it needs. The messages never show a value. */
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
        weak.push(`BANK_TERMINALS: the password of ${JSON.stringify(name)} is not one of the bank's`);
    }
  }
  if (encryptionKeys.some((bytes) => new Set(bytes).size < MIN_DISTINCT_BYTES || isText(bytes))) {
    weak.push("SECRET_ENCRYPTION_KEYS must hold random bytes, as `openssl rand -base64 32` makes them, and no text");
  }
  return weak;
}

/** The entropy of a text by the frequency of its characters, in bits. */
function bitsOf(text: string): number {
  const characters = Array.from(text);
  const counts = [...Map.groupBy(characters, (character) => character).values()].map((same) => same.length);
  return counts.reduce((bits, count) => bits - count * Math.log2(count / characters.length), 0);
}

/** Whether four characters of a text follow one another in the alphabet, as of 64 random ones in one text of a thousand. */
function hasSequence(text: string): boolean {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return codes.some((code, at) => [1, 2, 3, 4].every((ahead) => codes[at + ahead] === code + ahead));
}

/** Whether bytes are all printable ASCII, as of 32 random ones one in 10^13 is. One character stands for each byte. */
function isText(bytes: string): boolean {
  return /^[\x20-\x7e]{1,64}$/.test(bytes);
}
