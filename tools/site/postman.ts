import * as z from "zod";
import { LOCAL_KEY } from "../../sandbox/local-settings.ts";
import { KEY_HEADER } from "../../src/http/key-messages.ts";

/** What a collection has of an operation: its words, its query, and the example of its body. */
const operationSchema = z.object({
  summary: z.string(),
  description: z.string(),
  tags: z.tuple([z.string()]),
  parameters: z.array(z.object({ in: z.string(), name: z.string(), example: z.unknown().optional() })).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ example: z.record(z.string(), z.unknown()) })) }),
});
type Operation = z.infer<typeof operationSchema>;

const describedSchema = z.object({
  info: z.object({ title: z.string() }),
  tags: z.array(z.object({ name: z.string() })),
  paths: z.record(z.string(), z.object({ post: z.unknown().optional() })),
});

const FORM = "application/x-www-form-urlencoded";

const LOCAL = [
  { key: "baseUrl", value: "http://localhost:8787", description: "The service that this collection came from" },
  { key: "apiKey", value: LOCAL_KEY, description: "A key of the local stack, with all permissions" },
  { key: "changeWebhooks", value: "no", description: "With yes, the requests are sent that change where your events go, and their secret" },
];

/** The expected answer to an example that is not a success: nothing was paid yet, and no subscription started. */
const EXPECTED: Readonly<Record<string, string>> = {
  "get-partner-processor-payment": 'pm.expect(answer.error_code ?? "none").to.be.oneOf(["none", "PAYMENT_NOT_FOUND"]);',
  cancel_subscription_at_period_end: "pm.expect(pm.response.code).to.be.oneOf([200, 409]);",
};
const SUCCESS = "pm.response.to.have.status(200); pm.expect(answer.success, answer.error_message).to.equal(true);";

const CHANGES_WEBHOOKS = new Set(["register-partner-notifications-webhook", "rotate-partner-webhook-secret"]);
const SKIPPED = 'if (pm.variables.get("changeWebhooks") !== "yes") pm.execution.skipRequest();';

/**
 * The operations of the API description as a Postman collection (v2.1) for the local stack: ready to import and run. The
 * partners' own calls are left out: most of them need an id.
 */
export function toPostman(description: object): object {
  const { info, tags, paths } = describedSchema.parse(description);
  const operations = Object.entries(paths)
    .filter(([path]) => !path.startsWith("/partner/"))
    .map(([path, { post }]) => ({ path, operation: operationSchema.parse(post) }));
  const folders = tags.map(({ name }) => ({ name, of: operations.filter(({ operation }) => operation.tags[0] === name) }));
  return {
    info: {
      name: info.title,
      description:
        "Every operation with an example, which a local stack (`npm run dev`) carries out as it is. What they do stands at http://localhost:8787/docs.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "apikey", apikey: Object.entries({ key: KEY_HEADER, value: "{{apiKey}}", in: "header" }).map(entry) },
    variable: LOCAL,
    item: folders.filter(({ of }) => of.length > 0).map(({ name, of }) => ({ name, item: of.map(requestOf) })),
  };
}

/** Examples have their idempotency key in the body, so that header is left out. */
function requestOf({ path, operation }: { readonly path: string; readonly operation: Operation }): object {
  const { summary, description, parameters, requestBody } = operation;
  const [[type, { example }] = ["", { example: {} }]] = Object.entries(requestBody.content);
  const name = path.split("/").at(-1) ?? "";
  const check = `const answer = pm.response.json(); pm.test("is answered as documented", () => { ${EXPECTED[name] ?? SUCCESS} });`;
  const query = parameters.filter((one) => one.in === "query").map((one) => ({ key: one.name, value: String(one.example) }));
  return {
    name: summary,
    event: [...(CHANGES_WEBHOOKS.has(name) ? [script("prerequest", SKIPPED)] : []), script("test", check)],
    request: {
      method: "POST",
      description: { content: description, type: "text/markdown" },
      header: [{ key: "Content-Type", value: type }],
      url: { host: ["{{baseUrl}}"], path: path.slice(1).split("/"), query },
      body:
        type === FORM
          ? { mode: "urlencoded", urlencoded: Object.entries(example).map(([key, value]) => ({ key, value: String(value) })) }
          : { mode: "raw", raw: withVariables(example), options: { raw: { language: "json" } } },
    },
  };
}

/** An example as JSON that takes the key of the collection. */
function withVariables(example: object): string {
  return JSON.stringify(example, null, 2).replaceAll(LOCAL_KEY, "{{apiKey}}");
}

function entry([key, value]: readonly [string, string]) {
  return { key, value, type: "string" };
}

function script(listen: "prerequest" | "test", code: string) {
  return { listen, script: { type: "text/javascript", exec: [code] } };
}
