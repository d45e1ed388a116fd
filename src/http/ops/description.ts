import { describePaths, jsonSchemaOf } from "../calls/description.ts";
import { lostCell, type OpsCall } from "./define-call.ts";
import { describeSession } from "./sign-in.ts";

type Json = Readonly<Record<string, unknown>>;

const REFUSALS = {
  400: "The input is not valid; the message names the field",
  401: "No valid operator credentials",
  403: "The role is missing",
  404: "There is no such thing",
  409: "A rule forbids it",
  429: "Too many refused logins",
  500: "Something failed on our side",
  502: "The processor or the bank is unreachable; nothing is left half done",
};

const failure = { type: "object", properties: { success: { const: false }, error: { type: "string" } }, required: ["success", "error"] };

/** The OpenAPI 3.1 description of the operators' calls, from their definitions. */
export function describeOps(calls: readonly OpsCall[], origin: string): Json {
  const paths = describePaths(calls, (call) => ({ description: descriptionOf(call), answer: answerOf(call), refusals: REFUSALS, failure }));
  return {
    openapi: "3.1.0",
    info: {
      title: "Operators' interface",
      version: "1",
      description: "For the people who run the service. Every call is a command too: `npm run ops -- help`. Real HTTP statuses.",
    },
    servers: [{ url: origin }],
    security: [{ token: [] }],
    paths: { ...describeSession(jsonSchemaOf), ...paths },
    components: { securitySchemes: { token: { type: "http", scheme: "bearer", description: "The operators' token" } } },
  };
}

function descriptionOf({ command, example, role, irreversible }: OpsCall): string {
  return [`Command: \`npm run ops -- ${command} ${example}\`.`.replace(" `.", "`."), `Role: ${role}.`, irreversible ?? ""].join(" ").trim();
}

/** The answer of a call. A partial one also lists the unreachable cells. */
function answerOf({ answer, isPartial }: OpsCall): Json {
  const { properties, ...schema }: { readonly properties?: Json } & Json = jsonSchemaOf(answer, "output");
  const lost = { type: "array", items: jsonSchemaOf(lostCell, "output"), description: "Unreachable cells; their data is missing here" };
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: { ...properties, ...(isPartial ? { out_of_reach: lost } : {}) } }),
  };
}
