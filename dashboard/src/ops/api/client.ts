import createFetchClient, { type Middleware } from "openapi-fetch";
import createQueryClient from "openapi-react-query";
import { CallFailure, failureOf } from "../../api/failure.ts";
import { noteSessionEnded } from "../../api/session-state.ts";
import { texts } from "../../texts/index.ts";
import { noteReach } from "../shared/out-of-reach.tsx";
import type { paths } from "./schema.d.ts";

const offline = (): CallFailure =>
  new CallFailure({ status: 0, code: "OFFLINE", message: texts.failure.offline, field: null, requestId: null });

/** The Worker answers a refusal with a status; the pages want an error. */
export const refusals: Middleware = {
  async onResponse({ response, schemaPath }) {
    if (response.ok) {
      noteReach(
        schemaPath,
        await response
          .clone()
          .json()
          .catch(() => null),
      );
      return;
    }
    const failure = await failureOf(response);
    if (failure.status === 401 && schemaPath !== "/ops/session") noteSessionEnded();
    throw failure;
  },
  onError: offline,
};

/** The operators' calls, typed by their description. The session's cookie goes along by itself. */
export const client = createFetchClient<paths>({ baseUrl: globalThis.location.origin, redirect: "manual" });
client.use(refusals);

/** What a call answers, for readers that do not know which. */
export type Answer = Readonly<Record<string, unknown>>;

/**
 * Makes a call that the typed client does not know: one of a form, or one with a file. A file with faults is answered with
 * its report, and 422. @throws CallFailure as the Worker refuses
 */
export async function send(path: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(path, { ...init, redirect: "manual" }).catch(() => {
    throw offline();
  });
  if (!response.ok && response.status !== 422) {
    const failure = await failureOf(response);
    if (failure.status === 401) noteSessionEnded();
    throw failure;
  }
  const answer: unknown = await response.json().catch(() => null);
  if (isAnswer(answer)) return answer;
  throw new CallFailure({ status: 0, code: "UNKNOWN", message: "The answer is no JSON object.", field: null, requestId: null });
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The same calls as queries of the pages. */
export const api = createQueryClient(client);

/** What a call answers. */
export type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;

/** A row of a list. */
export type RowOf<Path extends keyof paths> = AnswerOf<Path> extends { data: (infer Row)[] } ? Row : never;
