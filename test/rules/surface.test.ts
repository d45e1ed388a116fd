import { describe, expect, it } from "vitest";
import { isRaisedEnough, kindOfRelease, surfaceOf } from "../../tools/release/surface.ts";
import { describeApi } from "../../tools/site/openapi/document.ts";

/** A release that may break a client raises the major version of what partners install. */

const surface = surfaceOf(describeApi());
const without = (line: string) => surface.filter((one) => one !== line);
const CART = "POST /create-partner-processor-cart-payment-link";

describe("the surface of this API", () => {
  it("has each call, what it takes and what it answers, and the events", () => {
    expect(surface).toEqual(
      expect.arrayContaining([
        CART,
        `${CART} takes items[].unit_amount: integer`,
        `${CART} takes items always`,
        `${CART} answers 200 short_url always`,
        'GET /partner/orders takes query.status: "paid"',
        "GET /partner/orders answers 200 data[].customer.email: null",
        "Processor.payment.succeeded has transaction.client_reference_id always",
      ]),
    );
  });
});

describe("a release", () => {
  it.each([
    ["a call is gone", without(CART)],
    ["a field is gone from an answer", without(`${CART} answers 200 short_url: string`)],
    ["a field is not always answered any more", without(`${CART} answers 200 short_url always`)],
    ["a value is not taken any more", without('GET /partner/orders takes query.status: "paid"')],
    ["a field must be sent that was optional", [...surface, `${CART} takes success_url always`]],
  ])("in which %s is a major one", (_what, after) => {
    expect(kindOfRelease(surface, after)).toMatchObject({ kind: "major", because: [expect.any(String)] });
  });

  it.each([
    ["a call is new, with what it must be sent", [...surface, "POST /partner/new", "POST /partner/new takes name always"]],
    ["a field is new in an answer", [...surface, `${CART} answers 200 price: number`]],
    ["a field need not be sent any more", without(`${CART} takes items always`)],
  ])("in which %s breaks no client", (_what, after) => {
    expect(kindOfRelease(surface, after).kind).not.toBe("major");
  });

  it("without a change of the API is a patch", () => {
    expect(kindOfRelease(surface, surface)).toEqual({ kind: "patch", because: [] });
  });
});

it.each([
  ["1.2.3", "2.0.0", "major", true],
  ["1.2.3", "1.3.0", "major", false],
  ["1.2.3", "1.3.0", "minor", true],
  ["1.2.3", "1.2.4", "minor", false],
  ["1.2.3", "1.2.3", "minor", false],
  ["1.2.3", "1.2.3", "patch", true],
  ["1.2.3", "1.2.2", "patch", false],
  ["2.0.0", "1.9.9", "patch", false],
] as const)("after %s, the version %s is enough for a %s release: %s", (before, now, kind, isEnough) => {
  expect(isRaisedEnough(before, now, kind)).toBe(isEnough);
});
