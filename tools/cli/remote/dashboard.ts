import { ask, RemoteFault } from "./edge.ts";

/**
 * Asks a dashboard for its page, and for a session without a cookie, with `headers`. Returns what is wrong, in words; null
 * if nothing is. A host that does not answer is a fault too.
 */
export async function faultOfDashboard(origin: string, headers: Readonly<Record<string, string>> = {}): Promise<string | null> {
  try {
    const page = await ask(`${origin}/dashboard`, { headers });
    const isPage = page.status === 200 && (page.headers.get("Content-Type") ?? "").startsWith("text/html");
    await page.body?.cancel();
    if (!isPage) return `${origin}/dashboard answered ${page.status} instead of the page`;
    const session = await ask(`${origin}/partner/session`, { headers });
    await session.body?.cancel();
    return session.status === 401 ? null : `${origin}/partner/session answered ${session.status} instead of 401`;
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    return thrown.message;
  }
}
