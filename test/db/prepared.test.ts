import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { expect, it } from "vitest";
import { connectCell } from "../../src/db/client.ts";
import { insertOnce, prepareOnce, storedValues, writeAll } from "../../src/db/prepared.ts";
import { endpoints, paymentLinks } from "../../src/db/schema/index.ts";
import { rowOf } from "../support/tables.ts";

const db = connectCell(env.CELL_1);
const row = (id: string) => ({
  id,
  partnerId: "acme",
  environment: "test" as const,
  source: "cart" as const,
  recordId: "01prepared",
  currency: "USD",
  mode: "one_time" as const,
  interval: null,
  url: "https://checkout.example/prepared",
  createdAt: 7,
});

it("refuses values that are not those of the text", () => {
  const find = (id: string) => () => db.select().from(endpoints).where(eq(endpoints.id, id));
  expect(() => prepareOnce(db, "by the test: other", find("one"), ["two"])).toThrow("other parameters");
  expect(() => prepareOnce(db, "by the test: fewer", find("one"), [])).toThrow("other parameters");
  expect(() => prepareOnce(db, "by the test: more", find("one"), ["one", "two"])).toThrow("other parameters");
});

it("stores values as the columns do, null where it is said, and leaves out the others", () => {
  expect(storedValues(paymentLinks, { createdAt: 7, interval: null, id: "plink_1" })).toEqual([
    ["id", "plink_1"],
    ["interval", null],
    ["createdAt", 7],
  ]);
});

it("writes statements of both kinds in one transaction, or none of them", async () => {
  const rename = (id: string, url: string) => db.update(paymentLinks).set({ url }).where(eq(paymentLinks.id, id));
  await writeAll(db, [insertOnce(db, paymentLinks, row("plink_prepared")), rename("plink_prepared", "https://checkout.example/2")]);
  expect(await rowOf(paymentLinks, { id: "plink_prepared" })).toMatchObject({
    url: "https://checkout.example/2",
    interval: null,
    interval_count: null,
    created_at: 7,
  });
  const again = [rename("plink_prepared", "https://checkout.example/3"), insertOnce(db, paymentLinks, row("plink_prepared"))];
  await expect(writeAll(db, again)).rejects.toThrow("UNIQUE");
  expect(await rowOf(paymentLinks, { id: "plink_prepared" })).toMatchObject({ url: "https://checkout.example/2" });
});
