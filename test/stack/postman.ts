import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import * as z from "zod";

/** Runs a Postman collection with what it uses of Postman: variables, the key of the collection, and scripts. */

const pair = z.object({ key: z.string(), value: z.string() });

const requestSchema = z.object({
  name: z.string(),
  event: z.array(z.object({ listen: z.enum(["prerequest", "test"]), script: z.object({ exec: z.tuple([z.string()]) }) })),
  request: z.object({
    method: z.literal("POST"),
    url: z.object({ host: z.tuple([z.literal("{{baseUrl}}")]), path: z.array(z.string()), query: z.array(pair) }),
    header: z.array(pair),
    body: z.union([
      z.object({ mode: z.literal("raw"), raw: z.string() }),
      z.object({ mode: z.literal("urlencoded"), urlencoded: z.array(pair) }),
    ]),
  }),
});
type CollectionRequest = z.infer<typeof requestSchema>;

export const collectionSchema = z.object({
  info: z.object({ schema: z.literal("https://schema.getpostman.com/json/collection/v2.1.0/collection.json") }),
  auth: z.object({ type: z.literal("apikey"), apikey: z.array(pair) }),
  variable: z.array(pair),
  item: z.array(z.object({ name: z.string(), item: z.array(requestSchema) })),
});

export interface Ran {
  readonly path: string;
  readonly status: number;
  readonly answer: unknown;
  /** The assertions of its scripts that held. */
  readonly held: readonly string[];
}

/** Sends the requests of a collection in their order, and runs their scripts. Skipped ones are left out. */
export async function runCollection(
  collection: z.infer<typeof collectionSchema>,
  changed: Readonly<Record<string, string>>,
): Promise<readonly Ran[]> {
  const variables = { ...Object.fromEntries(collection.variable.map(({ key, value }) => [key, value])), ...changed };
  const auth = Object.fromEntries(collection.auth.apikey.map(({ key, value }) => [key, filled(value, variables)]));
  const ran: Ran[] = [];
  for (const one of collection.item.flatMap(({ item }) => item)) {
    const done = await runRequest(one, { [auth.key ?? ""]: auth.value ?? "" }, variables);
    if (done !== null) ran.push(done);
  }
  return ran;
}

type Variables = Readonly<Record<string, string>>;

function filled(text: string, variables: Variables): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_match, name: string) => variables[name] ?? `no variable ${name}`);
}

async function runRequest({ event, request }: CollectionRequest, key: Variables, variables: Variables): Promise<Ran | null> {
  const { url, header, body } = request;
  const held: string[] = [];
  let isSkipped = false;
  const run = (listen: "prerequest" | "test", response: object) => {
    for (const { script } of event.filter((one) => one.listen === listen)) {
      const test = (name: string, check: () => void) => {
        check();
        held.push(name);
      };
      const execution = { skipRequest: () => (isSkipped = true) };
      runInNewContext(script.exec[0], { pm: { expect, test, execution, response, variables: { get: (name: string) => variables[name] } } });
    }
  };
  run("prerequest", {});
  if (isSkipped) return null;
  const path = url.path.join("/");
  const query = new URLSearchParams(url.query.map((one) => [one.key, one.value])).toString();
  const sent = body.mode === "raw" ? body.raw : new URLSearchParams(body.urlencoded.map((one) => [one.key, one.value])).toString();
  const response = await fetch(`${filled(url.host[0], variables)}/${path}${query === "" ? "" : `?${query}`}`, {
    method: request.method,
    // Where the body has the key, the header would hide a wrong one.
    headers: { ...Object.fromEntries(header.map((one) => [one.key, one.value])), ...(sent.includes("{{apiKey}}") ? {} : key) },
    body: filled(sent, variables),
  });
  const answer: unknown = await response.json();
  const status = (wanted: number) => expect([path, response.status, answer]).toEqual([path, wanted, answer]);
  run("test", { json: () => answer, code: response.status, to: { have: { status } } });
  return { path, status: response.status, answer, held };
}
