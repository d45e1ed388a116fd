import { rejectInput } from "../core/errors.ts";
import { limits } from "../core/limits.ts";

/** The recipient of the fiscal receipt: by e-mail, by phone or both (interface 9.3). */
export interface Buyer {
  readonly email: string | null;
  /** E.164: `+` and at most 15 digits. */
  readonly phone: string | null;
}

/**
 * Reads the buyer in the spellings that people use (interface 9.3). An empty text counts as left out.
 * @throws ServiceFailure `invalid_input` if both are missing, or if one is invalid or ambiguous.
 */
export async function readBuyer(email: string | undefined, phone: string | undefined): Promise<Buyer> {
  const [sentEmail, sentPhone] = [visible(email), visible(phone)];
  if (sentEmail === "" && sentPhone === "") {
    rejectInput("give an e-mail address, a phone number or both: the fiscal receipt goes there", "email");
  }
  return { email: sentEmail === "" ? null : readEmail(sentEmail), phone: sentPhone === "" ? null : await readPhone(sentPhone) };
}

/** Removes invisible characters, which pasted text may contain, and surrounding white space. */
function visible(text = ""): string {
  return text.replaceAll(/\p{Cf}/gu, "").trim();
}

const EMAIL = /^[A-Za-z0-9_'+-]+(?:\.[A-Za-z0-9_'+-]+)*@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/;

/** An e-mail address in the form that the bank accepts: an international domain is converted to ASCII (`xn--`). */
function readEmail(text: string): string {
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  const isAscii = /^[\x21-\x7e]*$/.test(domain);
  const address = isAscii ? text : `${text.slice(0, at)}@${asciiDomain(domain)}`;
  const { emailCharacters } = limits.buyer;
  if (address.length > emailCharacters)
    rejectInput(`must have at most ${emailCharacters} characters with its domain in the form xn--`, "email");
  return EMAIL.test(address) ? address : rejectInput("must be an e-mail address", "email");
}

/** The ASCII form of a domain; empty if the domain is invalid. */
function asciiDomain(domain: string): string {
  const url = `http://${domain}`;
  return /[/?#:@\s]/.test(domain) || !URL.canParse(url) ? "" : new URL(url).hostname;
}

/** Digits with blanks, hyphens, brackets and dots of any script between them; a plus at most at the beginning. */
const PHONE = /^\+?[\d\s\p{Pd}\p{Ps}\p{Pe}\u2212.]+$/u;
const FORM = "must be a phone number in international format, such as +79031234567";

/** The digits of a Russian number without its plus: with 8 or 7 before ten digits, or ten digits of a place or a mobile. */
const RUSSIAN = /^(?:[78](\d{10})|([3489]\d{9}))$/;

/**
 * A phone number as E.164. A number with a plus or 00 says its country. One without is Russian if it is written as people write
 * Russian numbers and exists. Any other is read as an international number without its plus, and as a Russian one: if both exist,
 * it is refused, because the receipt could go to a stranger in another country. The phone library is loaded on first use.
 */
async function readPhone(text: string): Promise<string> {
  if (!PHONE.test(text)) rejectInput(FORM, "phone");
  const { parsePhoneNumberFromString: parse } = await import("libphonenumber-js/max");
  const existing = (...readings: readonly ReturnType<typeof parse>[]) =>
    readings.flatMap((reading) => (reading?.isValid() === true ? [reading.number] : []));
  const digits = text.replaceAll(/[^\d]/g, "");
  const [, afterPrefix, alone] = RUSSIAN.exec(digits) ?? [];
  const russian = afterPrefix ?? alone;
  const isInternational = text.startsWith("+") || digits.startsWith("00");
  const [own] = isInternational || russian === undefined ? [] : existing(parse(`+7${russian}`));
  if (own !== undefined) return own;
  const international = parse(`+${text.startsWith("+") ? digits : digits.replace(/^00/, "")}`);
  const numbers = new Set(isInternational ? existing(international) : existing(international, parse(digits, "RU")));
  const [number, other] = numbers;
  if (number === undefined) rejectInput(`${FORM}; no such number exists`, "phone");
  if (other !== undefined) rejectInput(`could be ${number} or ${other}: write it with its plus and country code`, "phone");
  return number;
}
