import { Validator } from "@cfworker/json-schema";
import { fieldsOf, withKeyOfHeader } from "../../src/http/fields.ts";
import { creations } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import { describeApi } from "../../tools/site/openapi/document.ts";
import type { Answer } from "./answer.ts";

/**
 * Holds what the Worker answers to the published API description, as somebody else's validator reads it. Every answer
 * that a test gets to a described operation goes through here, so the description is as true as the tests are many.
 */
const description: any = describeApi();
const validators = new Map<object, Validator>();

/** @throws Error where an answer is not as described, or a request that was carried out is not. */
export async function holdToContract(path: string, init: RequestInit, answer: Answer): Promise<void> {
  const { pathname } = new URL(`http://edge.test${path}`);
  const operation = operationAt(pathname, init.method ?? "GET");
  if (operation === undefined) return;
  const response = operation.responses[String(answer.status)];
  if (response === undefined) throw new Error(`${pathname} answered ${answer.status}, which its description does not know`);
  const [answeredAs = ""] = (answer.headers.get("Content-Type") ?? "").split(";");
  const described = response.content[answeredAs];
  if (described === undefined) throw new Error(`${pathname} answered as ${answeredAs}, which its description does not know`);
  requireValid(`the answer ${answer.status} of ${pathname}`, described.schema, answer.body);
  if (answer.headers.get("X-Request-Id") === null) throw new Error(`${pathname} answered without X-Request-Id`);
  if (operation.requestBody === undefined) return;
  const wasCarriedOut = answer.status === 200 && answer.body.success !== false;
  const text = init.body instanceof ReadableStream ? "" : await new Response(init.body ?? "").text();
  if (!wasCarriedOut || text === "") return;
  const [[type, { schema }]] = Object.entries<any>(operation.requestBody.content) as [[string, { schema: object }]];
  const sent: unknown = type === "application/json" ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
  // The header Idempotency-Key counts as the field of the key (docs/interface.md G.12).
  requireValid(`a request that ${pathname} carried out`, schema, asTaken(pathname, sent, new Headers(init.headers)));
}

/** The described operation of a path, which may have parameters. */
function operationAt(pathname: string, method: string) {
  const [, item] =
    Object.entries<any>(description.paths).find(([path]) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(pathname)) ?? [];
  return item?.[method.toLowerCase()];
}

function asTaken(pathname: string, sent: unknown, headers: Headers): unknown {
  const { [pathname]: operation } = Object.fromEntries([...operations, ...creations].map((one) => [one.path, one]));
  if (operation === undefined || sent === null || typeof sent !== "object") return sent;
  const { keyField } = operation;
  // Accepted, ignored and not described: a read's key (interface 5.7), and an API key in a body of the second generation.
  const ignored = operation.effect.readOnly ? ["idempotency_key", "api_key"] : ["api_key"];
  const { fields } = fieldsOf(operation.input);
  // So is an unknown field that is null: it says nothing.
  const isDescribed = ([name, value]: [string, unknown]) =>
    operation.generation.name === "v1" || (!ignored.includes(name) && (value !== null || fields.has(name)));
  const body: Record<string, unknown> = Object.fromEntries(Object.entries(sent).filter(isDescribed));
  if (keyField === null) return body;
  // The required key of the first generation may come as null beside the header.
  const { [keyField]: key, ...rest } = body;
  return withKeyOfHeader(key === null ? rest : body, headers, keyField);
}

function requireValid(what: string, schema: object, value: unknown): void {
  const validator = validators.get(schema) ?? new Validator({ ...schema, components: description.components }, "2020-12", false);
  validators.set(schema, validator);
  const { valid, errors } = validator.validate(value);
  if (valid) return;
  const faults = errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
  throw new Error(`${what} is not as described: ${JSON.stringify(value)}\n${faults.join("\n")}`);
}
