import converter from "openapi-to-postmanv2";
import * as z from "zod";
import { KEY_HEADER } from "../src/http/authenticate.ts";
import { LOCAL_KEY } from "./openapi/operations.ts";

/** The parts of the converter's output that are used here. */
const itemSchema = z.object({ name: z.string(), request: z.looseObject({ auth: z.unknown().optional() }) });
const folderSchema = z.object({ name: z.string(), item: z.array(itemSchema) });
const collectionSchema = z.object({ info: z.object({ name: z.string(), schema: z.string() }), item: z.array(folderSchema) });
const outcomeSchema = z.object({ result: z.literal(true), output: z.tuple([z.object({ data: collectionSchema })]) });

const LOCAL = [
  { key: "baseUrl", value: "http://localhost:8787", description: "The edge; this one is of `npm run dev`" },
  { key: "apiKey", value: LOCAL_KEY, description: "A key of the local stack, with all permissions" },
];

/** The API description as a Postman collection (v2.1) for the local stack: ready to import and run. */
export async function toPostman(description: object): Promise<object> {
  const options = { folderStrategy: "Tags", parametersResolution: "Example", includeWebhooks: false };
  const outcome = await new Promise<unknown>((resolve, reject) => {
    converter.convertV2({ type: "json", data: description }, options, (fault, converted) =>
      fault === null ? resolve(converted) : reject(fault),
    );
  });
  const { info, item } = outcomeSchema.parse(outcome).output[0].data;
  return {
    info: {
      name: info.name,
      description:
        "The operations of a local stack (`npm run dev`), with the example of each. What they do stands at http://localhost:8787/docs.",
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

/** Drops the ids, which differ on every build, and uses the collection's API key. */
function tidy({ name, request }: z.infer<typeof itemSchema>) {
  const { auth: _, ...said } = request;
  return { name, request: JSON.parse(JSON.stringify(said).replaceAll(LOCAL_KEY, "{{apiKey}}")) as unknown };
}
