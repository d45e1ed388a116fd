/** Programs that fetch addresses without a person: robots, and the previews of messengers and mail. */
const PROGRAMS =
  /bot\b|bot[/;_-]|crawl|spider|slurp|preview|scanner|monitor|headless|facebookexternalhit|whatsapp|telegram|skype|discord|slack|embedly|pinterest|vkshare|bitlybot|curl|wget|python|java\/|okhttp|go-http|node|axios|libwww|httpclient|postman|insomnia|proofpoint|mimecast|barracuda|safelinks/i;
/** Browsers name themselves with it. */
const BROWSER = /^Mozilla\//;
/** More of a header is not looked at. */
const LONGEST_AGENT = 500;

/**
 * Whether a request is a customer's who opens a link, as far as it shows: not a program that looks at it, and not a browser that
 * fetches it before it is opened. Nothing of the request is kept.
 */
export function isOpenedByPerson({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  if (method !== "GET") return false;
  if ((headers.get("Sec-Purpose") ?? headers.get("Purpose") ?? headers.get("X-Purpose") ?? headers.get("X-Moz")) !== null) return false;
  const agent = headers.get("User-Agent") ?? "";
  return BROWSER.test(agent) && !PROGRAMS.test(agent.slice(0, LONGEST_AGENT));
}
