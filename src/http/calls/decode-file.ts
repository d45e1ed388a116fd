import { rejectInput } from "../../core/errors.ts";
import { readUtf8 } from "../body.ts";

/** The minimum share of letters among the bytes above 127 in a Russian text in Windows-1251. */
const MIN_SHARE_OF_LETTERS = 0.8;

/** The Russian letters in Windows-1251: А to я, Ё and ё. */
const isLetter = (byte: number) => byte >= 0xc0 || byte === 0xa8 || byte === 0xb8;

/**
 * The text of a file from a spreadsheet program: UTF-8, UTF-16 with its byte order mark, or Windows-1251 if the text
 * reads as Russian and is not all in capitals. Any other encoding is refused, so that no name becomes unreadable.
 * @throws ServiceFailure `invalid_input`
 */
export function decodeFile(bytes: ArrayBuffer): string {
  const all = new Uint8Array(bytes);
  const [first, second] = all;
  if (first === 0xff && second === 0xfe) return decodeAs("utf-16le", bytes);
  if (first === 0xfe && second === 0xff) return decodeAs("utf-16be", bytes);
  const text = readUtf8(bytes);
  if (text !== null) return text.includes("\u0000") ? refuseEncoding() : text;
  const high = all.filter((byte) => byte > 127);
  const isRussian = high.filter(isLetter).length >= MIN_SHARE_OF_LETTERS * high.length;
  // KOI8-R has small letters where Windows-1251 has capitals, and vice versa.
  const isSmall = high.filter((byte) => byte >= 0xe0).length > high.filter((byte) => byte >= 0xc0 && byte < 0xe0).length;
  return isRussian && isSmall ? decodeAs("windows-1251", bytes) : refuseEncoding();
}

function decodeAs(encoding: string, bytes: ArrayBuffer): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return refuseEncoding();
  }
}

function refuseEncoding(): never {
  return rejectInput("the file's encoding is unknown: save it as UTF-8 (in a spreadsheet: CSV UTF-8)");
}
