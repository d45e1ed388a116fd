import { rejectInput } from "../core/errors.ts";

/** The recipient of the fiscal receipt: by e-mail, by phone or both (interface 9.3). */
export interface Buyer {
  readonly email: string | null;
  /** `+` and 7 to 15 digits. */
  readonly phone: string | null;
}

/** @throws ServiceFailure `invalid_input` if both are missing, or if the phone number is ambiguous or invalid. */
export function readBuyer(email: string | undefined, phone: string | undefined): Buyer {
  if (email === undefined && phone === undefined) {
    rejectInput("give an e-mail address, a phone number or both: the fiscal receipt goes there", "email");
  }
  return { email: email ?? null, phone: phone === undefined ? null : readPhone(phone) };
}

/**
 * Converts a phone number to the bank's format, `+` and digits. The domestic formats of Russian mobile numbers are
 * accepted: 8 or 7 before ten digits, or only ten digits that begin with 9. Any other number without a country code
 * could belong to any country, and the receipt would go to a stranger.
 */
function readPhone(text: string): string {
  const compact = text.replace(/[\s().\u2010-\u2015-]/gu, "");
  const digits = /^(\+?)(\d+)$/.exec(compact);
  const [, plus = "", number = ""] = digits ?? [];
  const international = plus === "" ? withCountry(number) : `+${number}`;
  const lacksCountryCode = /^\d{1,10}$/.test(international);
  const isInvalidNumber = /^\+?(7(?!\d{10}$)|89|810)/.test(international);
  if (lacksCountryCode || isInvalidNumber || !/^\+?[1-9]\d{6,14}$/.test(international)) {
    rejectInput("must be a phone number in international format, such as +79031234567", "phone");
  }
  return international.startsWith("+") ? international : `+${international}`;
}

function withCountry(number: string): string {
  if (number.startsWith("00")) return `+${number.slice(2)}`;
  // 810 is the prefix for international calls from Russia.
  if (/^810\d{10}/.test(number)) return `+${number.slice(3)}`;
  if (/^8\d{10}$/.test(number)) return `+7${number.slice(1)}`;
  return /^9\d{9}$/.test(number) ? `+7${number}` : number;
}
