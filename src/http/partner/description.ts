import { type Described, describePaths, jsonSchemaOf } from "../calls/description.ts";
import { partnerCalls } from "./calls/index.ts";
import type { PartnerCall } from "./define-call.ts";
import { signInCalls } from "./sign-in/calls.ts";

/** The section of partners' own calls in the API description. */
export const SELF_SERVICE = {
  name: "Self-service",
  description:
    "`/partner/…`: look after webhooks, requests, orders, links, keys and people by program, with real HTTP statuses. Lists take `limit` and `cursor`, and answer `data` and `next`. [How](/docs/self-service).",
};

const REFUSALS = {
  400: "The input is not valid; the message names the field",
  401: "The key is missing or not valid, or no session is open",
  403: "The key or the person lacks the permission",
  404: "You have no such thing",
  409: "A rule forbids it; the message says what to do first",
  429: "Too many calls in this minute",
  500: "Something failed on our side",
  502: "The processor or the bank failed, or a part of the data is out of reach; try again",
};

const failure = {
  type: "object",
  properties: {
    success: { const: false },
    error_code: { type: "string" },
    error_message: { type: "string" },
    details: { type: "object", properties: { field: { type: "string" } }, required: ["field"] },
  },
  required: ["success", "error_code", "error_message"],
};

/** The OpenAPI `paths` of the partners' calls, from their definitions. */
export function describePartnerPaths() {
  return {
    ...describePaths(signInCalls, (call) => describe(call, "From the dashboard's pages, before a session.")),
    ...describePaths(partnerCalls, (call) => describe(call, needsOf(call))),
  };
}

function needsOf({ permission }: PartnerCall): string {
  if (permission === "signed_in") return "For a signed-in person, by session; a key cannot do it.";
  return permission === "any" ? "Any key." : `Permission: \`${permission}\`.`;
}

function describe({ answer }: Pick<PartnerCall, "answer">, description: string): Described {
  return { tags: [SELF_SERVICE.name], description, answer: jsonSchemaOf(answer, "output"), refusals: REFUSALS, failure };
}
