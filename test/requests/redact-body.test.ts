import { describe, expect, it } from "vitest";
import { redactAnswer, redactBody } from "../../src/requests/redact-body.ts";

describe("the redaction of a refused body", () => {
  it("does not grow with field names that are parts of what stands for them", () => {
    const field = Array.from({ length: 40 }, (_, index) => (index % 2 ? " " : "(")).join(".");
    expect(redactAnswer(`${field}: unknown field`, field)).toEqual({
      message: "The field (left out) was refused: its name may hold personal data and is not kept.",
      field: "(left out)",
    });
  });

  it.each([
    ["client_reference_id", "client_reference_id"],
    ["items[2].quantity", "items[2].quantity"],
    ["a@b.com", "(left out)"],
    ["items[0].Ivan Petrov", "(left out)"],
    [`a${"b".repeat(64)}`, "(left out)"],
  ])("keeps the name of a field that can be one: %s", (field, kept) => {
    expect(redactAnswer("wrong", field).field).toBe(kept);
  });

  it("visits each value of a deeply nested body once", () => {
    let body: object = { leaf: 1 };
    let visits = 0;
    const watched = new Proxy(body, {
      ownKeys: (target) => {
        visits += 1;
        return Reflect.ownKeys(target);
      },
    });
    body = watched;
    for (let depth = 0; depth < 14; depth += 1) body = { unknown: body };
    expect(redactBody(body)).toContain('{"leaf":"(left out)"}');
    expect(visits).toBe(1);
  });

  it("examines 16,000 characters of all texts together, and leaves out those that follow", () => {
    const texts = (length: number) => JSON.parse(redactBody({ items: ["a", "b"].map((one) => one.repeat(length)) })).items;
    // The field's name is examined too.
    expect(texts(7_998)).toEqual(["a".repeat(200), "(left out)"]);
    expect(texts(7_997)).toEqual(["a".repeat(200), "b".repeat(200)]);
  });

  it("keeps 50 entries of a list and of an object", () => {
    const many = Array.from({ length: 51 }, (_, index) => index);
    expect(JSON.parse(redactBody({ items: many })).items).toHaveLength(50);
    expect(Object.keys(JSON.parse(redactBody(Object.fromEntries(many.map((index) => [`f${index}`, index])))))).toHaveLength(50);
  });
});
