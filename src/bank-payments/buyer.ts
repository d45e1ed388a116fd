import { rejectInput } from "../core/errors.ts";

/** Whom the fiscal receipt goes to: by e-mail, by phone or both. */
export interface Buyer {
  readonly email: string | null;
  /** `+` and 7 to 15 digits. */
  readonly phone: string | null;
}

/** @throws ServiceFailure `invalid_input` where there is neither, or no telling what number is meant. */
export function readBuyer(email: string | undefined, phone: string | undefined): Buyer {
  if (email === undefined && phone === undefined) {
    rejectInput("give customer_email or customer_phone: the fiscal receipt goes there", "customer_email");
  }
  return { email: email ?? null, phone: phone === undefined ? null : readPhone(phone) };
}

/**
 * A phone number as the bank takes it, `+` and digits. The ways in which Russian mobile numbers are written at home are
 * understood: 8 or 7 before ten digits, or ten digits alone that begin with 9. Another number without its country may be of
 * any, and the receipt would go to a stranger.
 */
function readPhone(text: string): string {
  const compact = text.replace(/[\s().\u2010-\u2015-]/gu, "");
  const digits = /^(\+?)(\d+)$/.exec(compact);
  const [, plus = "", number = ""] = digits ?? [];
  const international = plus === "" ? withCountry(number) : `+${number}`;
  const isAmbiguous = /^\d{1,10}$/.test(international);
  const isNowhere = /^\+?(7(?!\d{10}$)|89|810)/.test(international);
  if (isAmbiguous || isNowhere || !/^\+?[1-9]\d{6,14}$/.test(international)) {
    rejectInput("customer_phone: must be a phone number in international format, such as +79031234567", "customer_phone");
  }
  return international.startsWith("+") ? international : `+${international}`;
}

function withCountry(number: string): string {
  if (number.startsWith("00")) return `+${number.slice(2)}`;
  // What is dialled before a foreign number in Russia.
  if (/^810\d{10}/.test(number)) return `+${number.slice(3)}`;
  if (/^8\d{10}$/.test(number)) return `+7${number.slice(1)}`;
  return /^9\d{9}$/.test(number) ? `+7${number}` : number;
}
