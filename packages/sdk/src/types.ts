import type { components, operations } from "./schema.d.ts";

/** The names of the calls in the API description. */
export type CallId = keyof operations;

type Given<Part> = [NonNullable<Part>] extends [never] ? unknown : NonNullable<Part>;
type Parameters<Id extends CallId, Where extends "path" | "query"> = operations[Id] extends { parameters: { [Key in Where]?: infer Part } }
  ? Given<Part>
  : unknown;
type Body<Id extends CallId> = operations[Id] extends {
  requestBody?: { content: { [Type in "application/json" | "application/x-www-form-urlencoded"]?: infer Sent } };
}
  ? Given<Sent>
  : unknown;
/** A body without fields takes none. */
type Own<Sent> = string extends keyof Sent ? unknown : Sent extends object ? Omit<Sent, "api_key" | "auth_mode"> : Sent;

/** What a call takes: the parameters of its path and its query, and the fields of its body. The client adds the key. */
export type Input<Id extends CallId> = Own<Body<Id>> & Parameters<Id, "path"> & Parameters<Id, "query">;

type Answered<Id extends CallId> = operations[Id] extends { responses: infer Responses }
  ? Responses extends { 200: { content: { "application/json": infer Found } } } | { 201: { content: { "application/json": infer Found } } }
    ? Found
    : never
  : never;

/** The answer of a call that was carried out. */
export type Answer<Id extends CallId> = Answered<Id> extends infer Any ? (Any extends { success: false } ? never : Any) : never;

/** One row of a list. */
export type Row<Id extends CallId> = Answer<Id> extends { data: readonly (infer Listed)[] } ? Listed : never;

/** The error codes that an operation can answer. */
export type FailureCode<Id extends CallId> =
  Answered<Id> extends infer Any ? (Any extends { success: false; error_code: infer Code } ? Code : never) : never;

/** Every event that is sent to your webhook. `event` tells them apart. */
export type PartnerEvent = components["schemas"]["PartnerEvent"];
