import { createDocument } from "zod-openapi";
import { KEY_HEADER } from "../authenticate.ts";
import { publish } from "../json-schema.ts";
import { creations, withStatuses } from "../v1/index.ts";
import { operations } from "../v2/index.ts";
import { transaction } from "../v2/transaction.ts";
import { describeOperation, describeStatusOperation, LOCAL_KEY } from "./operations.ts";
import { describeWebhooks } from "./webhooks.ts";

const INTRODUCTION = `
Payment links, promotion codes and ruble payments for partners, in two generations side by side: new work belongs on the
second. [Which to use, and how to move over](/docs/generations).

Nearly every operation answers HTTP 200 whatever became of it: **look at \`success\`, not at the status.** Every
\`error_code\` has its cause and cure on [the page of errors](/docs/errors). Repeating a request is safe under the same
idempotency key: [how, and when to take a new one](/docs/idempotency).

What is sent to you stands at the end, under Webhooks: [how to receive and verify it](/docs/webhooks).

On a local stack the key is \`${LOCAL_KEY}\` (here: Authorize), and the examples of creations work as they stand.
`.trim();

/**
 * The API description (OpenAPI 3.1): every operation of both generations and every event, from the definitions that
 * the routes, the tools and the deliveries come from. It is written to a file when the Worker is built.
 */
export function describeApi() {
  const described = [
    ...operations.map(describeOperation),
    ...creations.map(describeOperation),
    ...withStatuses.map(describeStatusOperation),
  ];
  return createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Partner payments",
        version: "2",
        summary: "Payment links, ruble payments, what was paid, and signed events",
        description: INTRODUCTION,
        license: { name: "MIT", identifier: "MIT" },
      },
      // The host that this was read from, whichever it is.
      servers: [{ url: "/", description: "This service" }],
      tags: [
        { name: "Second generation", description: "`POST /<operation>`, the key in the header" },
        { name: "First generation", description: "`POST /webhook/<operation>`" },
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
        schemas: { Transaction: transaction },
      },
    },
    { override: publish },
  );
}
