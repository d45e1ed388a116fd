import type { Schema } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import type { CallDefinition } from "../../dashboard/src/ops/api/call-definition.ts";
import { requestOf } from "../../dashboard/src/ops/api/request-of.ts";
import { choiceOfShape, defaultsOf, fieldsOf } from "../../dashboard/src/ops/calls/fields.ts";
import { nextPart, summed } from "../../src/core/continues.ts";

const object = (properties: Schema["properties"] = {}, required: string[] = []): Schema => ({ type: "object", properties, required });
const text: Schema = { type: "string" };

/** A call that has only what a test gives it. */
const callOf = (parts: Partial<CallDefinition>): CallDefinition => ({
  command: "things change",
  method: "POST",
  path: "/ops/things/{id}",
  summary: "Changes a thing",
  role: "admin",
  irreversible: null,
  continues: null,
  positional: [],
  takesFile: false,
  params: object(),
  query: object(),
  body: null,
  ...parts,
});
const fields = (parts: Partial<CallDefinition>, given = {}, values = {}, initial = {}) => fieldsOf(callOf(parts), given, values, initial);
const only = (schema: Schema, name = "name") => fields({ body: object({ [name]: schema }) })[0];
const names = (...asked: Parameters<typeof fields>) => fields(...asked).map(({ name }) => name);

const limitless = { name: "name", choices: [], isRequired: false, help: undefined, maxLength: undefined };

describe("a field of a form", () => {
  it.each<[string, Schema, object]>([
    [
      "a text with its bound and its help",
      { ...text, maxLength: 9, description: "A `name`" },
      { kind: "text", maxLength: 9, help: "A name" },
    ],
    ["a choice", { ...text, enum: ["a", "b"] }, { kind: "choice", choices: ["a", "b"] }],
    ["a box for true and false", { ...text, enum: ["true", "false"] }, { kind: "flag" }],
    ["a choice of three, with true among them", { enum: ["true", "false", "x"] }, { kind: "choice", choices: ["true", "false", "x"] }],
    ["a choice of two, one of them true", { enum: ["true", "x"] }, { kind: "choice", choices: ["true", "x"] }],
    ["a choice of two, one of them false", { enum: ["x", "false"] }, { kind: "choice", choices: ["x", "false"] }],
    ["a box", { type: "boolean" }, { kind: "flag" }],
    ["a whole number", { type: "integer" }, { kind: "number" }],
    ["a number with a fraction", { type: "number" }, { kind: "decimal" }],
    ["a day", { type: "string", format: "date" }, { kind: "date" }],
    ["several of a choice", { type: "array", items: { enum: ["a", 1] } }, { kind: "choices", choices: ["a"] }],
    ["a list", { type: "array", items: text }, { kind: "list" }],
    ["what may be null as what it is otherwise", { anyOf: [{ type: "integer" }, { type: "null" }] }, { kind: "number" }],
    ["what may be of two types as a text", { anyOf: [{ type: "integer" }, { type: "boolean" }, { type: "null" }] }, { kind: "text" }],
    ["what has no description without help", { ...text, description: undefined as never }, { kind: "text" }],
  ])("is %s", (_what, schema, expected) => expect(only(schema)).toEqual({ ...limitless, ...expected }));

  it.each([
    ["since", "moment"],
    ["until", "moment"],
    ["expires_at", "moment"],
    ["until_then", "text"],
    ["not_since", "text"],
    ["at", "text"],
    ["expires_at_once", "text"],
    ["unit_amount", "amount"],
  ])("%s is of the kind %s", (name, kind) => expect(only({ ...text, description: "x" }, name)?.kind).toBe(kind));

  it("of an amount has no help: the field shows how to write it", () =>
    expect(only({ type: "integer", description: "Minor units" }, "unit_amount")?.help).toBeUndefined());
});

describe("a form", () => {
  it("asks for path, query and body, what is required first, each once", () => {
    const call = {
      params: object({ id: text }, ["id"]),
      query: object({ since: text, reason: text }, ["since"]),
      body: object({ reason: { type: "boolean" }, label: text, mode: { ...text, default: "x" } }, ["label", "mode"]),
    };
    expect(fields(call).map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ["id", true],
      ["since", true],
      ["label", true],
      ["reason", false],
      ["mode", false],
    ]);
    expect(fields(call).find(({ name }) => name === "reason")?.kind).toBe("text");
    expect(names(call, { id: "x", label: "y" })).toEqual(["since", "reason", "mode"]);
  });

  it("asks for no page and for nothing that can have one value", () => {
    expect(names({ query: object({ limit: text, cursor: text, kind: { const: "card" }, state: text, odd: true }) })).toEqual(["state"]);
  });

  it("begins with the file, if the call takes one", () => {
    expect(fields({ takesFile: true, body: object({ a: text }) })).toEqual([
      { ...limitless, name: "file", kind: "file", isRequired: true },
      { ...limitless, name: "a", kind: "text" },
    ]);
  });

  it.each([
    [{}, ["type"]],
    [{ type: "one_time" }, ["type"]],
    [{ type: "subscription" }, ["type", "interval", "interval_count"]],
    [{ interval: "month" }, ["type", "interval", "interval_count"]],
  ])("asks for a billing period only of a subscription: %j", (values, expected) => {
    expect(names({ body: object({ type: text, interval: text, interval_count: text }) }, {}, values)).toEqual(expected);
  });
});

describe("a form of a body that has several shapes", () => {
  const card = object({ kind: { const: "card" }, price: text, both: text }, ["price", "both"]);
  const ruble = object({ kind: { const: "ruble" }, vat: text, both: text }, ["vat"]);
  const call = { body: { oneOf: [card, ruble] } };

  it("asks for that which is chosen, and for the first until then", () => {
    expect(choiceOfShape(callOf(call))).toEqual({ name: "kind", values: ["card", "ruble"] });
    expect([names(call), names(call, {}, { kind: "ruble" }), names(call, { kind: "ruble" }, { kind: "card" })]).toEqual([
      ["price", "both"],
      ["vat", "both"],
      ["vat", "both"],
    ]);
    expect(fields(call, {}, { kind: "card" }).map(({ isRequired }) => isRequired)).toEqual([true, true]);
  });

  it("without a field that says which one it is, asks for what fits the values that it begins with", () => {
    const either = {
      params: object({ id_in_path: text }, ["id_in_path"]),
      query: object({ days: text }, ["days"]),
      body: { anyOf: [object({ id: text, note: text }, ["id"]), object({ reference: text, note: text }, ["reference"])] },
    };
    expect(choiceOfShape(callOf(either))).toBeNull();
    expect(fields(either).map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ["id_in_path", true],
      ["days", true],
      ["id", false],
      ["note", false],
      ["reference", false],
    ]);
    expect(fields(either, {}, {}, { reference: "r", foreign: 1 }).map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ["id_in_path", true],
      ["days", true],
      ["reference", true],
      ["note", false],
    ]);
  });

  it("has no choice where there is one shape, or one of them lacks the field", () => {
    expect(choiceOfShape(callOf({}))).toBeNull();
    expect(choiceOfShape(callOf({ body: card }))).toBeNull();
    expect(choiceOfShape(callOf({ body: { oneOf: [card, object({ vat: text })] } }))).toBeNull();
  });

  it("begins with the defaults of the call and with the first shape, without what is given", () => {
    const query = object({ limit: { default: 50 }, state: { default: "open" }, kept: { default: 0 } });
    expect(defaultsOf(callOf({ ...call, query }), { state: "x" })).toEqual({ kept: 0, kind: "card" });
    expect(defaultsOf(callOf({ ...call, query }), { kind: "ruble" })).toEqual({ state: "open", kept: 0 });
    expect(defaultsOf(callOf({ body: object({ a: { default: false }, b: text, c: { const: "x", default: "x" } }) }), {})).toEqual({
      a: false,
    });
  });
});

describe("the request of a form", () => {
  it("writes a value in a path or a query as JSON, and nothing for one that is missing", () => {
    const call = callOf({ params: object({ id: text }), query: object({ days: text, all: text }) });
    expect(requestOf(call, { id: undefined, days: 7, all: true })).toEqual({ path: "/ops/things/", query: "?days=7&all=true", body: null });
    expect(requestOf(call, { id: "a", days: undefined })).toEqual({ path: "/ops/things/a", query: "", body: null });
  });

  it("has a body where the call has one, without what goes elsewhere", () => {
    const call = callOf({ params: object({ id: text }), query: object({ days: text }), body: object({ label: text }) });
    expect(requestOf(call, { id: "a", days: 1, label: "b", gone: undefined })).toEqual({
      path: "/ops/things/a",
      query: "?days=1",
      body: { label: "b" },
    });
  });

  it("goes on while something is left and the last call did something", () => {
    const continues = { left: "left", as: null, sums: ["made", "failed"] };
    const next = (answer: object) => nextPart(continues, { id: "x" }, { ...answer });
    expect([next({ left: 1, made: 1 }), next({ left: 1, made: 0, failed: 1 })]).toEqual([{ id: "x" }, { id: "x" }]);
    expect([next({ left: 0, made: 1 }), next({ left: 1, made: 0 }), next({ left: 1, made: "1" }), next({ left: "1", made: 1 })]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  it("sums what all calls did, and keeps the rest of the last answer", () => {
    expect(summed({ left: "left", as: null, sums: ["made"] }, [{ made: 2, left: 3 }, { left: 2 }, { made: 4, left: 0 }])).toEqual({
      made: 6,
      left: 0,
    });
    expect(summed(null, [{ made: 2 }, { made: 3 }])).toEqual({ made: 3 });
    // A list of the object itself stands in each answer: it is not joined.
    const answers = [
      { done: ["a"], methods: ["card"], left: 1 },
      { done: ["b"], methods: ["card"], left: 0 },
    ];
    expect(summed({ left: "left", as: null, sums: [], lists: ["done"] }, answers)).toEqual({
      done: ["a", "b"],
      methods: ["card"],
      left: 0,
    });
  });
});
