import { ask, RemoteFault } from "./edge.ts";

/** A path in the form of a slug that is none: it costs no look-up. */
const NO_LINK = "/01AAAAAAAAAAAAAA";

/**
 * Asks the host of the short links for a link that does not exist. Returns what is wrong, in words; null if nothing is. A host
 * that does not answer is a fault too.
 */
export async function faultOfShortLinks(origin: string): Promise<string | null> {
  try {
    const page = await ask(`${origin}${NO_LINK}`);
    const isPage = page.status === 404 && (page.headers.get("X-Robots-Tag") ?? "").includes("noindex");
    await page.body?.cancel();
    return isPage ? null : `${origin} answered ${page.status} instead of the page of an unknown short link`;
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    return thrown.message;
  }
}
