const MAX_CHARACTERS = 500;
/** What is looked at: a part of a text that is taken out may be longer than what is shown. */
const MAX_READ = 4 * MAX_CHARACTERS;

/** What names a secret, an address or a person. Each expression takes time that grows with the text, and no faster. */
const TAKEN_OUT: readonly RegExp[] = [
  // Secrets of the processor, and ours.
  /\b(?:sk|rk|pk|whsec)_[\w*]+/g,
  // API keys of partners.
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
  /https?:\/\/\S+/g,
  /(?<![^\s@"'<>()])[^\s@"'<>()]+@[^\s@"'<>()]+\.\p{L}{2,}/gu,
  // Phones with a country code, and as written in Russia.
  /\+\d[\d ()-]{6,24}\d/g,
  /(?<!\d)8[ (-]{1,2}\d{3}[\d ()-]{6,12}\d(?!\d)/g,
  // International bank account numbers.
  /\b[A-Z]{2}\d{2}(?: ?[0-9A-Z]{4}){3,7}(?: ?[0-9A-Z]{1,3})?\b/g,
];

const CARD = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g;

/**
 * Makes an external message safe to show or log: truncates it and removes keys, secrets, URLs, addresses, phones, card numbers and bank
 * account numbers. docs/privacy.md names the same.
 */
export function redact(text: string): string {
  const cut = text.slice(0, MAX_READ);
  return TAKEN_OUT.reduce((left, personal) => left.replace(personal, "…"), cut)
    .replace(CARD, (digits) => (hasCheckDigit(digits) ? "…" : digits))
    .slice(0, MAX_CHARACTERS);
}

/** Whether the last digit is the check digit of a card number (ISO/IEC 7812). */
function hasCheckDigit(text: string): boolean {
  const digits = [...text.replace(/\D/g, "")].map(Number).toReversed();
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 0 ? digit : digit * 2;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
