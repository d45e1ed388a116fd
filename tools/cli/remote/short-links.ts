import { ask, pinned, RemoteFault } from "./edge.ts";

/** A slug of the first cell that is none: KV and that cell are asked for it. Its form has no check. */
const NO_LINK = "/01AAAAAAAAAAAA";

/**
 * Asks the host of the short links for a link that does not exist. Returns what is wrong, in words; null if nothing is. A host
 * that does not answer is a fault too, and so is another version than the wanted one.
 */
export async function faultOfShortLinks(
  origin: string,
  wanted: { readonly worker: string; readonly id: string } | null = null,
): Promise<string | null> {
  try {
    const headers = wanted === null ? {} : pinned({ url: origin, token: "", version: wanted });
    const page = await ask(`${origin}${NO_LINK}`, { headers });
    const isPage = page.status === 404 && (page.headers.get("X-Robots-Tag") ?? "").includes("noindex");
    await page.body?.cancel();
    if (!isPage) return `${origin} answered ${page.status} instead of the page of an unknown short link`;
    const version = page.headers.get("X-Worker-Version");
    const isOther = wanted !== null && version !== null && !wanted.id.startsWith(version);
    return isOther ? `${origin} is answered by the version ${version} instead of ${wanted.id}` : null;
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    return thrown.message;
  }
}
