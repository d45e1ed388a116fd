import * as z from "zod";
import { createDocument } from "zod-openapi";
import { LOCAL_KEY } from "../../../sandbox/local-settings.ts";
import { asSent, toPublicSchema } from "../../../src/http/json-schema.ts";
import { KEY_HEADER } from "../../../src/http/key-messages.ts";
import { partnerCalls } from "../../../src/http/partner/calls/index.ts";
import { describePartnerPaths, SELF_SERVICE } from "../../../src/http/partner/description.ts";
import { v1 } from "../../../src/http/v1/generation.ts";
import { creations, withStatuses } from "../../../src/http/v1/index.ts";
import { v2 } from "../../../src/http/v2/generation.ts";
import { operations } from "../../../src/http/v2/index.ts";
import { transactionSchema } from "../../../src/views/transaction.ts";
import { exampleAnswerOf } from "./answer-examples.ts";
import { exampleRequestOf } from "./call-examples.ts";
import { nameComponents, typeNameOf } from "./components.ts";
import { describeOperation, describeStatusOperation } from "./operations.ts";
import { anyEvent, describeWebhooks } from "./webhooks.ts";

const INTRODUCTION = `
Payment links, promotion codes and ruble payments for partners, in two generations side by side: new work belongs on the
second. [Which to use, and how to move over](/docs/generations).

Nearly every operation answers HTTP 200 whatever became of it: **look at \`success\`, not at the status.** Every
\`error_code\` has its cause and cure on [the page of errors](/docs/errors). Repeating a request is safe under the same
idempotency key: [how, and when to take a new one](/docs/idempotency).

By your own calls at \`/partner/…\` you [look after webhooks and deliveries yourself](/docs/self-service).

What is sent to you stands at the end, under Webhooks: [how to receive and verify it](/docs/webhooks).

On a local stack the key is \`${LOCAL_KEY}\` (enter it under Authentication), and the examples of creations work as they stand.
`.trim();

/**
 * The API description (OpenAPI 3.1): every operation of both generations and every event. It is generated from the same
 * definitions as the routes, the tools and the deliveries, and is written to a file at build time.
 */
export function describeApi() {
  const described = [
    ...operations.map(describeOperation),
    ...creations.map(describeOperation),
    ...withStatuses.map(describeStatusOperation),
  ];
  const document = createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Partner payments",
        version: "2",
        summary: "Payment links, ruble payments, what was paid, and signed events",
        description: INTRODUCTION,
        license: { name: "MIT", identifier: "MIT" },
      },
      // Relative to the host that serves this file.
      servers: [{ url: "/", description: "This service" }],
      tags: [
        { name: v2.title, description: `\`POST ${v2.prefix}<operation>\`, the key in the header` },
        { name: v1.title, description: `\`POST ${v1.prefix}<operation>\`` },
        SELF_SERVICE,
      ],
      security: [{ partnerKey: [] }],
      paths: Object.fromEntries(described.map(({ path, operation }) => [path, { post: operation }])),
      webhooks: describeWebhooks(),
      components: {
        securitySchemes: {
          partnerKey: {
            type: "apiKey",
            in: "header",
            name: KEY_HEADER,
            description: `Your key, a UUID. Local: \`${LOCAL_KEY}\``,
          },
        },
        schemas: { Transaction: transactionSchema, PartnerEvent: anyEvent() },
      },
    },
    { override: toPublicSchema },
  );
  const components = { ...document.components, schemas: requestsAsSent(document.components?.schemas ?? {}) };
  return nameComponents({ ...document, components, paths: { ...document.paths, ...withExamples(describePartnerPaths()) } });
}

type Paths = ReturnType<typeof describePartnerPaths>;

/** The calls of keys with the request of their command's example, and an answer. */
function withExamples(paths: Paths): Paths {
  const shown: Paths = { ...paths };
  for (const call of partnerCalls.filter(({ permission }) => permission !== "signed_in")) {
    const method = call.method.toLowerCase();
    const { path, query, body } = exampleRequestOf(call);
    const { parameters = [], requestBody, responses, ...described } = callSchema.parse(shown[call.path]?.[method]);
    const values: Readonly<Record<string, unknown>> = { ...path, ...query };
    // The kind of an event that a request names is no event's id.
    const { event: _, ...named } = body;
    const operation = {
      ...described,
      parameters: parameters.map((one) => (one.name in values ? { ...one, example: values[one.name] } : one)),
      ...(requestBody === undefined
        ? {}
        : { requestBody: { ...requestBody, content: mapped(requestBody.content, (content) => ({ ...content, example: body })) } }),
      responses: mapped(responses, (response, status) =>
        status.startsWith("2") ? answered(call.command, response, { ...path, ...askedFor(query), ...named }) : response,
      ),
    };
    shown[call.path] = { ...shown[call.path], [method]: operation };
  }
  return shown;
}

/** What an answer repeats of a query; a filter says what rows may be, and not what an example shows. */
const askedFor = ({ environment, from, to }: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries({ environment, from, to }).filter(([, value]) => value !== undefined));

/** A success with an example of the answer in JSON. */
function answered(command: string, response: z.infer<typeof responseSchema>, request: Readonly<Record<string, unknown>>) {
  const { "application/json": json, ...files } = response.content ?? {};
  if (json === undefined) return response;
  return { ...response, content: { "application/json": { ...json, example: exampleAnswerOf(command, json.schema, request) }, ...files } };
}

const responseSchema = z.looseObject({ content: z.record(z.string(), z.looseObject({ schema: z.looseObject({}) })).optional() });

const callSchema = z.looseObject({
  responses: z.record(z.string(), responseSchema),
  parameters: z.array(z.looseObject({ name: z.string() })).optional(),
  requestBody: z.looseObject({ content: z.record(z.string(), z.looseObject({})) }).optional(),
});

const mapped = <Value, Made>(record: Readonly<Record<string, Value>>, make: (value: Value, name: string) => Made): Record<string, Made> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));

/** The names of the requests of some operations. */
const requestsOf = (of: readonly { readonly name: string }[]): string[] => of.map(({ name }) => `${typeNameOf(name)}Request`);

/** The requests among the named schemas, as callers send them; the answers as they are. */
function requestsAsSent(schemas: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const [second, first] = [requestsOf(operations), requestsOf([...creations, ...withStatuses])];
  const sent: Record<string, unknown> = { ...schemas };
  for (const [name, schema] of Object.entries(schemas)) {
    const generation = second.includes(name) ? v2 : v1;
    if (generation === v2 || first.includes(name))
      sent[name] = asSent(z.record(z.string(), z.unknown()).parse(schema), generation.isStrict);
  }
  return sent;
}
