import createFetchClient, { type Middleware } from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import { beginAnew } from "../shared/address.ts";
import { texts } from "../texts/index.ts";
import { CallFailure, failureOf } from "./failure.ts";
import type { paths } from "./schema.d.ts";
import { noteSessionEnded, shownPerson } from "./session-state.ts";
import { callsBase, viewedPartner } from "./viewed-partner.ts";

/** Changes on their way, by their id: one that needs a passkey is sent again after the person has used it. */
const changes = new Map<string, Request>();

/** The Worker answers a refusal with a status; the pages want an error. */
const refusals: Middleware = {
  onRequest({ request, id }) {
    if (viewedPartner !== null && request.method !== "GET") throw readOnly();
    const person = shownPerson();
    if (person !== null) request.headers.set("X-Expected-Person", person);
    if (request.method !== "GET") changes.set(id, request.clone());
    return request;
  },
  async onResponse({ response, schemaPath, id }) {
    const change = changes.get(id);
    changes.delete(id);
    if (response.ok) return;
    const failure = await failureOf(response);
    if (failure.code === "PASSKEY_REQUIRED" && change !== undefined) {
      const { askForPasskey } = await import("../sign-in/passkeys.ts");
      await askForPasskey();
      const again = await fetch(change);
      if (again.ok) return again;
      throw await failureOf(again);
    }
    // Another person signed in in a second tab: nothing of what this page shows is theirs.
    if (response.headers.has("X-Signed-In-Person")) beginAnew();
    // A refused sign-in has ended no session.
    if (failure.status === 401 && viewedPartner !== null) globalThis.location.assign("/ops/console/");
    else if (failure.status === 401 && !/^\/partner\/(?:sign-in|invitation)/.test(schemaPath)) noteSessionEnded();
    throw failure;
  },
  onError({ error, id }) {
    changes.delete(id);
    return error instanceof CallFailure
      ? error
      : new CallFailure({ status: 0, code: "OFFLINE", message: texts.failure.offline, field: null, requestId: null });
  },
};

const readOnly = () => new CallFailure({ status: 403, code: "READ_ONLY", message: texts.view.readOnly, field: null, requestId: null });

/** The partners' own calls, typed by the API description. The session's cookie goes along by itself. */
export const client = createFetchClient<paths>({
  baseUrl: `${globalThis.location.origin}${callsBase}`,
  redirect: "manual",
  // A change in a session must be JSON, also without a body.
  headers: { "Content-Type": "application/json" },
});
client.use(refusals);

/** The same calls as queries and mutations of the pages. */
export const api = createQueryClient(client);
