import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { readSettings } from "../../src/settings.ts";
import { BANK, bankCart, call } from "../support/api.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { world } from "../support/stack.ts";

/** What a line of the fiscal receipt says of itself: by product, from its entry or a file to the message that the bank gets. */

const ruble = (more: object = {}) => ({
  kind: "ruble",
  name: "Консультация",
  unit_amount: 90_000,
  terminal: "first",
  vat: "none",
  ...more,
});
const add = async (more: object) => (await change("partners/acme/products", ruble(more))).body;
const approve = (id: number) => change(`products/ruble/${id}/approve`);

/** The receipt's lines of a cart, as the bank got them. */
async function linesOf(...products: number[]): Promise<Record<string, unknown>[]> {
  const items = products.map((product_id) => ({ product_id, quantity: 1 }));
  const { body } = await call(BANK, bankCart({ items, client_token: crypto.randomUUID() }));
  expect(body).toMatchObject({ success: true });
  const held = Object.values(world.state.objects).find(({ order_id }) => order_id === body.order_id);
  return z.looseObject({ Items: z.array(z.record(z.string(), z.unknown())) }).parse(held?.receipt).Items;
}

describe("the subject of a receipt's line", () => {
  it("is that of its product, and left to the bank where the product says none", async () => {
    const service = await add({ receipt_subject: "service", receipt_method: "full_prepayment" });
    const plain = await add({});
    expect(service).toMatchObject({ receipt_subject: "service", receipt_method: "full_prepayment", measurement_unit: null });
    for (const { id } of [service, plain]) await approve(id);
    const [first, second] = await linesOf(service.id, plain.id);
    expect(first).toMatchObject({ PaymentObject: "service", PaymentMethod: "full_prepayment" });
    expect(second).not.toHaveProperty("PaymentObject");
    expect(second).not.toHaveProperty("PaymentMethod");
  });

  it("can be changed and taken away, in the audit log, and holds for the next cart", async () => {
    const { id } = await add({ receipt_subject: "service" });
    await approve(id);
    await change(`products/ruble/${id}`, { receipt_subject: "job", measurement_unit: "ч" }, "PATCH");
    expect((await linesOf(id))[0]).toMatchObject({ PaymentObject: "job" });
    const { body } = await change(`products/ruble/${id}`, { receipt_subject: null }, "PATCH");
    expect(body).toMatchObject({ receipt_subject: null, measurement_unit: "ч" });
    expect((await linesOf(id))[0]).not.toHaveProperty("PaymentObject");
    expect(JSON.stringify(await auditOf(`ruble/${id}`))).toContain("job");
  });

  it("is one that the bank knows", async () => {
    const refused = await change("partners/acme/products", ruble({ receipt_subject: "gift" }));
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining("receipt_subject")]);
  });

  it("comes from a file too", async () => {
    const file =
      "partner_id,kind,name,unit_amount,terminal,vat,receipt_subject,measurement_unit\nacme,ruble,Курс,1000,first,none,service,ед\n";
    const { body } = await ops("imports/products?prices=minor", { method: "POST", body: file, headers: { "Content-Type": "text/csv" } });
    expect(body).toMatchObject({ imported: true });
    const { body: listed } = await ops("products?limit=100");
    expect(listed.data).toContainEqual(expect.objectContaining({ name: "Курс", receipt_subject: "service", measurement_unit: "ед" }));
  });
});

describe("a terminal's settings", () => {
  const withTerminal = (more: object) =>
    readSettings({
      ...env,
      BANK_TERMINALS: JSON.stringify({ live: {}, test: { first: { terminal_key: "T", password: "p2", taxation: "osn", ...more } } }),
    }).bank.terminals.test.first?.receipt;

  it("have the bank's defaults unless they say something", () => {
    expect(withTerminal({})).toEqual({ ffdVersion: "1.05", subject: null, method: null, unit: "шт" });
    expect(withTerminal({ ffd_version: "1.2", receipt_subject: "service", receipt_method: "advance", measurement_unit: "ч" })).toEqual({
      ffdVersion: "1.2",
      subject: "service",
      method: "advance",
      unit: "ч",
    });
  });

  it.each([
    { ffd_version: "1.1" },
    { receipt_subject: "gift" },
    { receipt_method: "later" },
    { measurement_unit: "" },
    { measurement_unit: "а".repeat(17) },
  ])("are refused with %j", (wrong) => {
    expect(() => withTerminal(wrong)).toThrow("BANK_TERMINALS");
  });
});
