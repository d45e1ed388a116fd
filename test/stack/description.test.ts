import { describe, expect, it } from "vitest";
import * as z from "zod";
import { codesOf } from "../../src/http/failures.ts";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { describeOps } from "../../src/http/ops/description.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { signInCalls } from "../../src/http/partner/sign-in/calls.ts";
import { creations, withStatuses } from "../../src/http/v1/index.ts";
import { operations } from "../../src/http/v2/index.ts";
import { allEvents } from "../../src/webhooks/outbox/events/index.ts";
import { compile, described, description, ownCalls } from "./description.ts";

const allOperations = [...operations, ...creations];

/** The integers of a description that a generated client could take for 32 bits, by their places. */
function unboundedIntegers(schema: unknown, place = ""): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one, index) => unboundedIntegers(one, `${place}/${index}`));
  if (typeof schema !== "object" || schema === null) return [];
  const { type, format, minimum, exclusiveMinimum = minimum, maximum } = schema as Record<string, unknown>;
  const isInteger = [type].flat().includes("integer");
  const isBounded = typeof exclusiveMinimum === "number" && typeof maximum === "number";
  const isKnown = format === "int64" || (format === "int32" && Number(maximum) < 2 ** 31);
  const inner = Object.entries(schema).filter(([name]) => name !== "example" && name !== "examples");
  const own = isInteger && !(isBounded && isKnown) ? [place] : [];
  return [...own, ...inner.flatMap(([name, value]) => unboundedIntegers(value, `${place}/${name}`))];
}

describe("the API description", () => {
  it("gives every integer its format and its bounds, and so does that of the operators' calls", () => {
    expect(unboundedIntegers(described)).toEqual([]);
    expect(unboundedIntegers(describeOps(opsCalls, "https://api.example.com"))).toEqual([]);
    expect(described).toHaveProperty(
      ["components", "schemas", "CreatePartnerBankCartPaymentSuccess", "properties", "payment_id", "format"],
      "int64",
    );
  });

  it("says that an optional field may be null, and that the second generation takes no unknown one", () => {
    const { paths, components }: any = described;
    const requestOf = (path: string) => {
      const { $ref } = paths[path].post.requestBody.content["application/json"].schema;
      return components.schemas[$ref.split("/").at(-1)];
    };
    const cart = requestOf("/create-partner-processor-cart-payment-link");
    expect([cart.additionalProperties, cart.properties.currency.anyOf.at(-1)]).toEqual([false, { type: "null" }]);
    expect(cart.properties.items.anyOf).toBeUndefined();
    const { CartLine, BankCartLine, Price } = components.schemas;
    for (const line of [CartLine, BankCartLine]) expect(line.additionalProperties).toBe(false);
    expect(requestOf("/create-partner-bank-cart-payment").properties.description.type).toBe("null");
    const link = requestOf("/webhook/payment-link-create");
    expect([link.additionalProperties, Price.additionalProperties]).toEqual([undefined, undefined]);
    expect(Price.properties.currency.anyOf.at(-1)).toEqual({ type: "null" });
  });

  it("has all operations and all events", () => {
    const paths = [...allOperations, ...withStatuses].map(({ path }) => path);
    expect(Object.keys(description.paths).toSorted()).toEqual(paths.toSorted());
    expect(ownCalls.toSorted()).toEqual([...new Set([...partnerCalls, ...signInCalls].map(({ path }) => path))].toSorted());
    expect(Object.keys(description.webhooks).toSorted()).toEqual(allEvents.map(({ name }) => name).toSorted());
  });

  it("shows a success and every error code of each operation by an example of its schema", () => {
    for (const [path, { post }] of Object.entries(description.paths)) {
      for (const { schema, example } of Object.values(post.requestBody.content))
        expect([path, compile(schema)(example)]).toEqual([path, true]);
      for (const { content } of Object.values(post.responses)) {
        for (const { schema, example, examples } of Object.values(content ?? {})) {
          const takes = compile(schema);
          for (const value of examples === undefined ? [example] : Object.values(examples).map((shown) => shown.value)) {
            expect([path, value, takes(value)]).toEqual([path, value, true]);
          }
          expect(takes({ success: "perhaps" })).toBe(false);
        }
      }
    }
    for (const operation of allOperations) {
      const { examples = {} } = description.paths[operation.path]?.post.responses["200"]?.content?.["application/json"] ?? {};
      expect(Object.keys(examples)).toEqual(["success", ...codesOf(operation)]);
    }
  });

  it("shows an answer of each call of self-service that its schema takes, without a gap", () => {
    let shown = 0;
    for (const [path, own] of Object.entries((described as any).paths as Record<string, Record<string, any>>)) {
      for (const [method, operation] of Object.entries(own)) {
        if (operation["x-command"] === undefined) continue;
        for (const [status, { content }] of Object.entries<any>(operation.responses)) {
          const json = content?.["application/json"];
          if (!status.startsWith("2") || json?.example === undefined) continue;
          shown += 1;
          expect([method, path, compile(json.schema)(json.example)]).toEqual([method, path, true]);
          const lacking = [...JSON.stringify(json.example).matchAll(/"(\w+)":"…"/g)].map(([, field]) => field);
          expect([path, lacking], "fields without an example: add them to VALUES in tools/site/openapi/answer-examples.ts").toEqual([
            path,
            [],
          ]);
        }
      }
    }
    expect(shown).toBe(partnerCalls.filter(({ permission, download }) => permission !== "signed_in" && download !== "always").length);
  });

  it("describes every event by a schema that takes its example, and nothing that lacks a field or has another type in it", () => {
    for (const { post } of Object.values(description.webhooks)) {
      const { schema, example } = post.requestBody.content["application/json"] ?? {};
      const shown = z.record(z.string(), z.unknown()).parse(example);
      const takes = compile(schema ?? {});
      expect(takes(shown)).toBe(true);
      expect(takes({ ...shown, added_later: 1 })).toBe(true);
      for (const field of Object.keys(shown)) {
        const { [field]: _, ...without } = shown;
        expect(takes(without)).toBe(false);
        expect(takes({ ...shown, [field]: typeof shown[field] === "number" ? "7" : 7 })).toBe(false);
      }
    }
  });

  it.each([
    // The interface's "Authentication": where each operation's key stands.
    ["/list-partner-processor-transactions", "header", "optional in the body"],
    ["/get-partner-processor-payment", "header", "optional in the body"],
    ["/list-partner-live-processor-payment-links", "header", "optional in the body"],
    ["/create-partner-processor-cart-payment-link", "header", "not in the body"],
    ["/create-partner-bank-cart-payment", "header", "not in the body"],
    ["/register-partner-notifications-webhook", "header", "not in the body"],
    ["/rotate-partner-webhook-secret", "header", "not in the body"],
    ["/webhook/payment-link-create", "no header", "required in the body"],
    ["/webhook/promotion-code-create", "header", "optional in the body"],
    ["/webhook/get-processor-objects", "no header", "required in the body"],
    ["/webhook/cancel_subscription_at_period_end", "header", "not in the body"],
  ])("says where the key of %s stands: %s, %s", (path, header, body) => {
    const { security, requestBody } = description.paths[path]?.post ?? { security: [], requestBody: { content: {} } };
    expect(security).toEqual(header === "header" ? [{ partnerKey: [] }] : []);
    const [{ schema }] = Object.values(requestBody.content) as [{ schema: { $ref?: string } }];
    const { properties, required = [] } = z
      .looseObject({ properties: z.record(z.string(), z.unknown()), required: z.array(z.string()).optional() })
      .parse(description.components.schemas[schema.$ref?.split("/").at(-1) ?? ""]);
    const place = required.includes("api_key") ? "required" : "api_key" in properties ? "optional" : "not";
    expect(`${place} in the body`).toBe(body);
  });

  it("says what is deprecated, and what may come without a body", () => {
    const paths = Object.entries(description.paths);
    expect(paths.filter(([, { post }]) => post.deprecated === true).map(([path]) => path)).toEqual(["/webhook/get-processor-objects"]);
    expect(paths.filter(([, { post }]) => !post.requestBody.required).map(([path]) => path)).toEqual([
      "/list-partner-live-processor-payment-links",
    ]);
  });
});
