import { slugPattern } from "../../short-links/slug.ts";
import { STRICT_TRANSPORT } from "../transport-security.ts";

/** The protection headers of every answer of the short domain: nothing is indexed or kept, and the checkout gets no referrer. */
export const HEADERS = {
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": STRICT_TRANSPORT,
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex, nofollow",
};

/** 302 to the checkout (interface L.2). */
export function redirectTo(target: string, query: string, requestId: string): Response {
  return new Response(null, { status: 302, headers: { ...HEADERS, Location: withQuery(target, query), "X-Request-Id": requestId } });
}

/** Characters that are valid in a header, and can be appended to an address unchanged. */
const PLAIN_QUERY = /^[\x21-\x7e]*$/;

/**
 * Appends the customer's query (`client_reference_id` and others) to a target. Parameters of the link itself win.
 * @param sent the query as received, without its question mark.
 */
export function withQuery(target: string, sent: string): string {
  if (sent === "") return target;
  // Programs that write HTML sometimes write an address twice.
  const query = sent.includes("&amp;") ? sent.replaceAll("&amp;", "&") : sent;
  if (!target.includes("?") && !target.includes("#") && PLAIN_QUERY.test(query)) return `${target}?${query}`;
  const url = new URL(target);
  const own = new Set(url.searchParams.keys());
  for (const [name, value] of new URLSearchParams(query)) {
    if (!own.has(name)) url.searchParams.append(name, value);
  }
  return url.href;
}

/** The parts of a request's address that a redirect needs. Null if its path is not a slug. */
export function slugAndQueryOf(url: string): { readonly host: string; readonly slug: string; readonly query: string } | null {
  const hostAt = url.indexOf("//") + 2;
  const pathAt = url.indexOf("/", hostAt);
  const queryAt = url.indexOf("?", pathAt);
  const slug = url.slice(pathAt + 1, queryAt === -1 ? undefined : queryAt);
  if (pathAt === -1 || !slugPattern.test(slug)) return null;
  return { host: url.slice(hostAt, pathAt), slug, query: queryAt === -1 ? "" : url.slice(queryAt + 1) };
}

/** Characters around a slug that was pasted or typed. */
const STUCK_TO_SLUG = new RegExp(`^/+(${slugPattern.source.replaceAll(/[\^$]/g, "")})[^\\p{L}\\p{N}]*$`, "u");
/** A query behind a slug whose question mark was encoded (also for mail), or is missing. */
const GLUED_TO_SLUG = new RegExp(
  `^/+(${slugPattern.source.replaceAll(/[\^$]/g, "")})(%3F|%26|&|=3F)([a-z_][a-z0-9_]{0,50}(?:=|%3D).*)$`,
  "i",
);
/** The longest path that is searched for a slug, in characters. */
const LONGEST_PATH = 500;

/**
 * The address of a short link whose path has extra characters: more slashes before the slug, or characters other than
 * letters and digits after it (a full stop, a bracket, a quote, a zero-width space, a slash), or a query without its question mark. The
 * query stays. Null for any other path. Slugs have a check character, so a wrong address is not reached.
 */
export function cleanedAddress(url: URL): string | null {
  if (url.pathname.length > LONGEST_PATH) return null;
  const [, glued, sign, parameters = ""] = GLUED_TO_SLUG.exec(url.pathname) ?? [];
  if (glued !== undefined) return `/${glued}?${parametersOf(parameters, sign === "=3F")}${url.search.replace("?", "&")}`;
  const [, slug] = STUCK_TO_SLUG.exec(decoded(url.pathname)) ?? [];
  return slug === undefined ? null : `/${slug}${url.search}`;
}

/** The query in what is glued to a slug: as it was, encoded as a whole, or in the form of mail (quoted-printable). */
function parametersOf(glued: string, isOfMail: boolean): string {
  if (isOfMail) return glued.replaceAll(/=3D/gi, "=").replaceAll("=26", "&");
  return /^[a-z0-9_]{1,60}%3D/i.test(glued) ? new URLSearchParams(decoded(glued)).toString() : glued;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
