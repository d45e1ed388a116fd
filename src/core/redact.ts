const MAX_CHARACTERS = 500;
/** The length that is examined. A part that is removed may be longer than the text that remains. */
const MAX_READ = 4 * MAX_CHARACTERS;

/** Secrets and addresses. The time of each expression grows linearly with the text. */
const SECRETS_AND_ADDRESSES: readonly RegExp[] = [
  // Secrets of the processor and of this service.
  /\b(?:sk|rk|pk|whsec)_[\w*]+/g,
  // API keys of partners.
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
  /https?:\/\/\S+/gi,
  /(?<![^\s@"'<>(),;|])[^\s@"'<>(),;|]+(?:@|%40)[^\s@"'<>(),;|]+\.\p{L}{2,}/gu,
];

/** Phones with a country code, and as written in Russia. */
const PHONES: readonly RegExp[] = [
  /(?<!\w)(?:\+\(?|00)[1-9](?:[ .\u00a0\u202f\u2010-\u2015\u2212()-]{0,3}\d){7,14}(?!\d)/g,
  /(?<!\d)8[ .\u00a0\u202f\u2010-\u2015\u2212()-]{0,3}[3489](?:[ .\u00a0\u202f\u2010-\u2015\u2212()-]{0,3}\d){9}(?!\d)/g,
];

/** How a bank account number begins, and the whole of one (ISO 13616): each character with one separator before it at most. */
const ACCOUNT_START = /\b[A-Z]{2}\d{2}/gi;
const ACCOUNT = /^[A-Z]{2}\d{2}(?:[ \u00a0\u202f\u2010-\u2015\u2212-]?[0-9A-Z]){11,30}/i;
const MAX_ACCOUNT = 2 * 34;
const DIGIT_GROUPS = /\d+(?:[ .\u00a0\u202f\u2010-\u2015\u2212-]{1,2}\d+)*/g;

/**
 * Makes an external message safe to show or log: truncates it and removes keys, secrets, URLs, addresses, phones, card
 * numbers and bank account numbers. docs/privacy.md lists the same.
 */
export function redactText(text: string): string {
  const withoutSecrets = without(SECRETS_AND_ADDRESSES, cut(text));
  // Accounts and cards are removed before phones: a part of either may look like a phone.
  const withoutNumbers = withoutAccounts(withoutSecrets).replace(DIGIT_GROUPS, (digits) => (holdsCard(digits) ? "…" : digits));
  return without(PHONES, withoutNumbers).slice(0, MAX_CHARACTERS);
}

function without(expressions: readonly RegExp[], text: string): string {
  return expressions.reduce((left, expression) => left.replace(expression, "…"), text);
}

/** The beginning of a text, without its last word, which may be cut off. */
function cut(text: string): string {
  if (text.length <= MAX_READ) return text;
  const beginning = text.slice(0, MAX_READ);
  const lastBlank = Math.max(beginning.lastIndexOf(" "), beginning.lastIndexOf("\n"));
  return lastBlank < MAX_CHARACTERS ? beginning : beginning.slice(0, lastBlank);
}

/** Whether consecutive groups of digits are the number of a card: 13 to 19 digits, of a card's network, with a check digit. */
function holdsCard(text: string): boolean {
  const groups = text.match(/\d+/g) ?? [];
  return groups.some((_, first) =>
    groups.slice(first, first + 19).some((__, more) => {
      const digits = groups.slice(first, first + more + 1).join("");
      return /^[2-6]\d{12,18}$/.test(digits) && hasCheckDigit(digits);
    }),
  );
}

/** Whether the last digit is the check digit of a card number (ISO/IEC 7812). */
function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, character, index) => {
      const doubled = Number(character) * (index % 2 === 0 ? 1 : 2);
      return total + (doubled > 9 ? doubled - 9 : doubled);
    }, 0);
  return sum % 10 === 0;
}

/** The text without bank account numbers. Each start is examined once, up to the greatest length of a number. */
function withoutAccounts(text: string): string {
  let kept = "";
  let from = 0;
  for (const { index } of text.matchAll(ACCOUNT_START)) {
    const length = index < from ? 0 : accountLength(text.slice(index, index + MAX_ACCOUNT));
    if (length === 0) continue;
    kept += `${text.slice(from, index)}…`;
    from = index + length;
  }
  return kept + text.slice(from);
}

/** The length of the account number at the start of a text, 0 without one. Words may follow the number. */
function accountLength(text: string): number {
  const candidate = ACCOUNT.exec(text)?.[0] ?? "";
  for (let end = candidate.length; end > 0; end = Math.max(candidate.lastIndexOf(" ", end - 1), candidate.lastIndexOf("-", end - 1))) {
    if (isAccount(candidate.slice(0, end))) return end;
  }
  return 0;
}

/** Whether a text has the check digits of an international bank account number (ISO 13616). */
function isAccount(text: string): boolean {
  const plain = text.replace(/[ -]/g, "").toUpperCase();
  if (plain.length < 15 || plain.length > 34) return false;
  const moved = plain.slice(4) + plain.slice(0, 4);
  const rest = Array.from(moved).reduce((left, character) => Number(`${left}${Number.parseInt(character, 36)}`) % 97, 0);
  return rest === 1;
}
