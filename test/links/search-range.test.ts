import { beforeEach, expect, it } from "vitest";
import type { Environment } from "../../src/core/environment.ts";
import { paymentLinks } from "../../src/db/schema/index.ts";
import { searchRangeOf } from "../../src/links/store.ts";
import { cellDeps } from "../support/cells.ts";
import { HOUR, MINUTE } from "../support/later.ts";
import { emptyTables } from "../support/tables.ts";

/** Where a link is searched for at the processor whose creation was not answered. */

const FROM = 100 * HOUR;
const TO = FROM + HOUR;
const { db } = cellDeps();

beforeEach(() => emptyTables(paymentLinks));

async function stored(id: string, createdAt: number, environment: Environment = "test"): Promise<void> {
  const of = { partnerId: "acme", environment, source: "cart", currency: "EUR", mode: "one_time" } as const;
  await db.insert(paymentLinks).values({ ...of, id, url: "https://checkout.example/x", createdAt });
}

const range = () => searchRangeOf(db, "test", { from: FROM, to: TO });

it("begins at the newest link that was stored two minutes before the first call, and ends two minutes after the last", async () => {
  await stored("plink_1a", FROM - HOUR);
  await stored("plink_2a", FROM - 2 * MINUTE);
  await stored("plink_3a", FROM - 2 * MINUTE + 1);
  await stored("plink_4a", FROM - 2 * MINUTE, "live");
  expect(await range()).toEqual({ after: "plink_2a", until: TO + 2 * MINUTE });
});

it("begins at one of the links in the index: those whose id ends with an a", async () => {
  await stored("plink_1a", FROM - 2 * HOUR);
  await stored("plink_2b", FROM - HOUR);
  await stored("plink_2A", FROM - HOUR);
  expect((await range()).after).toBe("plink_1a");
});

it("begins nowhere while there is none", async () => {
  await stored("plink_1a", FROM);
  expect((await range()).after).toBeNull();
});
