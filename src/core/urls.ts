/**
 * A URL as somebody sent it, or null where it is not plainly one. The URL parser forgives white space, control
 * characters, half a surrogate, backslashes and missing slashes; who gets the text afterwards may not. User names are
 * refused, empty ones too.
 */
export function readWebUrl(text: string): URL | null {
  if (!text.isWellFormed() || /[\s\p{Cc}\\]/u.test(text) || !/^https?:\/\/[^/?#@]+([/?#]|$)/i.test(text) || !URL.canParse(text))
    return null;
  const url = new URL(text);
  return url.username === "" && url.password === "" ? url : null;
}
