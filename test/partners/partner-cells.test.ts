import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { connectDirectory } from "../../src/db/client.ts";
import { partners } from "../../src/db/schema/index.ts";
import { createPartnerCells } from "../../src/partners/partner-cells.ts";
import { MINUTE } from "../support/later.ts";
import { countEffects } from "../support/observe.ts";
import { updateRows } from "../support/tables.ts";

const directory = connectDirectory(env.DIRECTORY);

it("knows the cell of each partner, also of a disabled one, and no cell of anybody else", async () => {
  const cellOf = createPartnerCells(directory, { now: () => 0 });
  expect([await cellOf("acme"), await cellOf("initech"), await cellOf("nobody"), await cellOf("")]).toEqual(["01", "01", null, null]);
});

it("asks the directory once a minute", async () => {
  let now = 0;
  const cellOf = createPartnerCells(directory, { now: () => now });
  const asked = async () => (await countEffects(() => cellOf("acme"))).counts.d1;
  expect(await asked()).toBe(1);
  now = MINUTE - 1;
  expect(await asked()).toBe(0);
  now = MINUTE;
  expect(await asked()).toBe(1);
  await updateRows(partners, { cell: "02" }, { id: "acme" });
  now = 2 * MINUTE;
  expect(await cellOf("acme")).toBe("02");
  await updateRows(partners, { cell: "01" }, { id: "acme" });
});

it("asks for an unknown partner each time: it may have been made since", async () => {
  const cellOf = createPartnerCells(directory, { now: () => 0 });
  expect(await cellOf("umbrella")).toBeNull();
  await directory.insert(partners).values({ id: "umbrella", name: "Umbrella", cell: "01", createdAt: 0 });
  expect(await cellOf("umbrella")).toBe("01");
});
