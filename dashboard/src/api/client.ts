import { QueryClient } from "@tanstack/react-query";
import createFetchClient, { type Middleware } from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import { texts } from "../texts/index.ts";
import { CallFailure, failureOf } from "./failure.ts";
import type { paths } from "./schema.d.ts";
import { noteSessionEnded, shownPerson } from "./session-state.ts";

/** The Worker answers a refusal with a status; the pages want an error. */
const refusals: Middleware = {
  onRequest({ request }) {
    const person = shownPerson();
    if (person !== null) request.headers.set("X-Expected-Person", person);
    return request;
  },
  async onResponse({ response, schemaPath }) {
    if (response.ok) return;
    const failure = await failureOf(response);
    // Another person signed in in a second tab: nothing of what this page shows is theirs.
    if (response.headers.has("X-Signed-In-Person")) globalThis.location.reload();
    // A refused sign-in has ended no session.
    if (response.status === 401 && !/^\/partner\/(?:sign-in|invitation)/.test(schemaPath)) noteSessionEnded();
    throw failure;
  },
  onError: () => new CallFailure({ status: 0, code: "OFFLINE", message: texts.failure.offline, field: null, requestId: null }),
};

/** The partners' own calls, typed by the API description. The session's cookie goes along by itself. */
export const client = createFetchClient<paths>({
  baseUrl: globalThis.location.origin,
  // A change in a session must be JSON, also without a body.
  headers: { "Content-Type": "application/json" },
});
client.use(refusals);

/** The same calls as queries and mutations of the pages. */
export const api = createQueryClient(client);

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
