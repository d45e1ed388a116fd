import converter from "openapi-to-postmanv2";
import * as z from "zod";
import { KEY_HEADER } from "../../src/http/authenticate.ts";
import { IDEMPOTENCY_HEADER } from "../../src/http/fields.ts";
import { SELF_SERVICE } from "../../src/http/partner/description.ts";
import { LOCAL_KEY } from "./openapi/operations.ts";

/** The parts of the converter's output that are used here. */
const itemSchema = z.object({
  name: z.string(),
  request: z.looseObject({
    auth: z.unknown().optional(),
    header: z.array(z.looseObject({ key: z.string() })).default([]),
    url: z.looseObject({ path: z.array(z.string()) }),
  }),
});
const folderSchema = z.object({ name: z.string(), item: z.array(itemSchema) });
const collectionSchema = z.object({ info: z.object({ name: z.string(), schema: z.string() }), item: z.array(folderSchema) });
const outcomeSchema = z.object({ result: z.literal(true), output: z.tuple([z.object({ data: collectionSchema })]) });

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

const describedSchema = z.looseObject({
  paths: z.record(z.string(), z.unknown()),
  tags: z.array(z.looseObject({ name: z.string() })),
});

/** The description without the partners' own calls: the collection is run as it is, and most of those need an id. */
function operationsOf(description: object): object {
  const { paths, tags, ...rest } = describedSchema.parse(description);
  return {
    ...rest,
    paths: Object.fromEntries(Object.entries(paths).filter(([path]) => !path.startsWith("/partner/"))),
    tags: tags.filter(({ name }) => name !== SELF_SERVICE.name),
  };
}

/** The operations of the API description as a Postman collection (v2.1) for the local stack: ready to import and run. */
export async function toPostman(description: object): Promise<object> {
  const options = { folderStrategy: "Tags", parametersResolution: "Example", includeWebhooks: false };
  const outcome = await new Promise<unknown>((resolve, reject) => {
    converter.convertV2({ type: "json", data: operationsOf(description) }, options, (fault, converted) =>
      fault === null ? resolve(converted) : reject(fault),
    );
  });
  const { info, item } = outcomeSchema.parse(outcome).output[0].data;
  return {
    info: {
      name: info.name,
      description:
        "Every operation with an example, which a local stack (`npm run dev`) carries out as it is. What they do stands at http://localhost:8787/docs.",
      schema: info.schema,
    },
    auth: { type: "apikey", apikey: Object.entries({ key: KEY_HEADER, value: "{{apiKey}}", in: "header" }).map(entry) },
    variable: LOCAL,
    item: item.map(({ name, item: requests }) => ({ name, item: requests.map(tidy) })),
  };
}

function entry([key, value]: readonly [string, string]) {
  return { key, value, type: "string" };
}

/**
 * Drops the ids, which differ in every build, uses the collection's API key, and adds the expected answer. The examples
 * have their key in the body, so the header is dropped.
 */
function tidy({ name, request }: z.infer<typeof itemSchema>) {
  const { auth: _, header, ...others } = request;
  const said = { ...others, header: header.filter(({ key }) => key !== IDEMPOTENCY_HEADER) };
  const operation = request.url.path.at(-1) ?? "";
  return {
    name,
    event: [
      ...(CHANGES_WEBHOOKS.has(operation) ? [script("prerequest", SKIPPED)] : []),
      script(
        "test",
        `const answer = pm.response.json(); pm.test("is answered as documented", () => { ${EXPECTED[operation] ?? SUCCESS} });`,
      ),
    ],
    request: JSON.parse(JSON.stringify(said).replaceAll(LOCAL_KEY, "{{apiKey}}")) as unknown,
  };
}

function script(listen: "prerequest" | "test", code: string) {
  return { listen, script: { type: "text/javascript", exec: [code] } };
}
