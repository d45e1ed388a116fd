import { QueryClient } from "@tanstack/react-query";
import { CallFailure } from "./failure.ts";

/** Lists are large: what no page shows is soon forgotten. */
const FORGOTTEN_AFTER = 60_000;

/** What the pages have asked for. A refusal is not repeated: it would be refused again. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // Without a connection a call fails with words, instead of waiting without any.
      networkMode: "always",
      gcTime: FORGOTTEN_AFTER,
      staleTime: 5_000,
      retry: (count, thrown) => count < 2 && (!(thrown instanceof CallFailure) || thrown.status === 0 || thrown.status >= 500),
      retryDelay: 500,
    },
  },
});

/**
 * Asks again for everything that a page shows, after a change. An answer that is still on its way was asked for before the
 * change, and is dropped: the first one of a list would otherwise count as the newest.
 */
export async function refreshAll(): Promise<void> {
  await queries.cancelQueries();
  await queries.invalidateQueries();
}
