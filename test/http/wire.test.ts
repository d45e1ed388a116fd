import { describe, expect, it } from "vitest";
import * as z from "zod";
import { wire } from "../../src/http/wire.ts";

const view = z.object({
  partner_id: z.string(),
  created_at: z.string(),
  previous_secret_until: z.string().nullable(),
  uses: z.int(),
  amount: z.number(),
  fee: z.number().nullable(),
  state: z.string(),
});
const row = { partnerId: "acme", createdAt: 0, previousSecretUntil: null, uses: 2, amount: 1900, fee: null, secret: "s" };

describe("what a view shows of a row as it is", () => {
  it("is what the row has by the names of the schema, with times as texts, and nothing that the schema lacks", () => {
    expect(wire(view)(row)).toEqual({
      partner_id: "acme",
      created_at: "1970-01-01T00:00:00.000Z",
      previous_secret_until: null,
      uses: 2,
    });
  });

  it("has no amount, which the row has in minor units: the view must convert it", () => {
    const shown = wire(view)(row);
    // @ts-expect-error an amount is not shown as it is
    expect(shown.amount).toBeUndefined();
    // @ts-expect-error nor one that may be null
    expect(shown.fee).toBeUndefined();
    // @ts-expect-error what the row lacks is to be added
    expect(shown.state).toBeUndefined();
  });
});
