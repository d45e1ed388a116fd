/** Browsers name themselves so, and some programs. */
const BROWSER = /^Mozilla\//;
/** Programs that fetch addresses without a person: robots, scanners, and previews of messengers and mail. A brand of phones is named Cubot. */
const PROGRAM = /\bcompatible;|(?<!cu)bot\b|crawl|spider|preview|headless|scan|monitor/i;

/**
 * Whether a request is a customer's who opens a link, as far as it shows: not a program that looks at it, and not a browser that
 * fetches it before it is opened. Nothing of the request is kept.
 */
export function isOpenedByPerson({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  const agent = headers.get("User-Agent") ?? "";
  if (method !== "GET" || !BROWSER.test(agent) || PROGRAM.test(agent)) return false;
  return !["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].some((name) => headers.has(name));
}
