import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { cellCodeOf, newIdCode } from "../../src/core/cell-code.ts";
import { connectDirectory } from "../../src/db/client.ts";
import { partners } from "../../src/db/schema/index.ts";
import { createMovedCells, createPartnerLocations } from "../../src/partners/locations.ts";
import { CELL, homes, ID_CODE } from "../support/cells.ts";
import { MINUTE } from "../support/later.ts";
import { countEffects } from "../support/observe.ts";
import { updateRows } from "../support/tables.ts";

const directory = connectDirectory(env.DIRECTORY);
const HERE = { cell: "01", idCode: "01", earlier: [], timeZone: "UTC", expiredCheckouts: false };

it("knows the home of each partner, also of a disabled one, and none of anybody else", async () => {
  const locationOf = createPartnerLocations(directory.$client, { now: () => 0 });
  expect([await locationOf("acme"), await locationOf("initech"), await locationOf("nobody"), await locationOf("")]).toEqual([
    HERE,
    { cell: homes.initech, idCode: homes.initech, earlier: [], timeZone: "UTC", expiredCheckouts: false },
    null,
    null,
  ]);
});

it("asks the directory once a minute", async () => {
  let now = 0;
  const locationOf = createPartnerLocations(directory.$client, { now: () => now });
  const asked = async () => (await countEffects(() => locationOf("acme"))).counts.d1;
  expect(await asked()).toBe(1);
  now = MINUTE - 1;
  expect(await asked()).toBe(0);
  now = MINUTE;
  expect(await asked()).toBe(1);
  await updateRows(partners, { cell: "02" }, { id: "acme" });
  now = 2 * MINUTE;
  expect(await locationOf("acme")).toEqual({ cell: "02", idCode: "01", earlier: [], timeZone: "UTC", expiredCheckouts: false });
  await updateRows(partners, { cell: "01" }, { id: "acme" });
});

it("asks for an unknown partner each time: it may have been made since", async () => {
  const locationOf = createPartnerLocations(directory.$client, { now: () => 0 });
  expect(await locationOf("umbrella")).toBeNull();
  await directory.insert(partners).values({ id: "umbrella", name: "Umbrella", cell: CELL, idCode: ID_CODE, createdAt: 0 });
  expect(await locationOf("umbrella")).toEqual(HERE);
});

it("knows to which cells the partners of a code have moved, from one minute to the next", async () => {
  let now = 0;
  const movedCells = createMovedCells(directory.$client, { now: () => now });
  const asked = (fresh = false) => countEffects(() => movedCells(ID_CODE, { fresh }));
  expect(await asked()).toMatchObject({ result: [], counts: { d1: 1 } });
  await updateRows(partners, { cell: "02" }, { id: "acme" });
  now = MINUTE - 1;
  expect(await asked()).toMatchObject({ result: [], counts: { d1: 0 } });
  now = MINUTE;
  expect(await asked()).toMatchObject({ result: ["02"], counts: { d1: 1 } });
  // As it is now, unless that was asked just now.
  expect(await asked(true)).toMatchObject({ counts: { d1: 0 } });
  await updateRows(partners, { cell: "03" }, { id: "acme" });
  now += 1;
  expect(await asked(false)).toMatchObject({ result: ["02"], counts: { d1: 0 } });
  expect(await asked(true)).toMatchObject({ result: ["03"], counts: { d1: 1 } });
  expect(await movedCells(newIdCode(cellCodeOf(2)), { fresh: false })).toEqual([]);
  await updateRows(partners, { cell: "01" }, { id: "acme" });
});
