import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { apiKeys, refusedKeys } from "../../src/db/schema/index.ts";
import { RefusedKeys } from "../../src/partners/refused-keys.ts";
import { deleteExpiredInDirectory } from "../../src/runners/expire-rows.ts";
import { CART, call, cart, keys, LIST } from "../support/api.ts";
import { cellDeps } from "../support/cells.ts";
import { atNoon, DAY, MINUTE, pass, realTime } from "../support/later.ts";
import { ops } from "../support/ops.ts";
import { control } from "../support/stack.ts";
import { countOf, emptyTables, insertRow, rowOf, updateRows } from "../support/tables.ts";
import { until } from "../support/until.ts";
import { virtualTime } from "../support/virtual-time.ts";

beforeEach(() => emptyTables(refusedKeys));
afterEach(async () => {
  realTime();
  await control("/faults", undefined, "DELETE");
});

const UNKNOWN = "d0000000-0000-4000-8000-00000000dead";
const listed = async (query = "") => (await ops(`refused-keys${query}`)).body.data;
const refused = async (key: string) => {
  const before = await countOf(refusedKeys);
  expect((await call(LIST, {}, key)).body.error_code).toBe("INVALID_API_KEY");
  await until(async () => expect(await countOf(refusedKeys)).toBe(before + 1));
};

describe("a key that was refused", () => {
  it.each([
    ["that nobody has", UNKNOWN, { reason: "unknown", hint: "dead", partner_id: null, key_id: null }],
    ["that is no UUID", "secret-text", { reason: "malformed", hint: "text", partner_id: null }],
    ["that was revoked", keys.revoked, { reason: "revoked", partner_id: "acme", key_id: expect.any(String) }],
    ["of a person who is disabled", keys.formerEmployee, { reason: "person_disabled", key_id: expect.any(String) }],
    ["of a partner that is disabled", keys.disabledPartner, { reason: "partner_disabled" }],
  ])("%s is listed with its reason, and with what to answer", async (_which, key, wanted) => {
    await refused(key);
    const [row] = await listed();
    expect(row).toMatchObject({
      ...wanted,
      hint: key.slice(-4),
      count: 1,
      summary: { en: expect.stringMatching(/\.$/), ru: expect.stringMatching(/\.$/) },
    });
    expect(JSON.stringify(row)).not.toContain(key);
  });

  it("that has expired is listed as such", async () => {
    const before = await rowOf(apiKeys, { partner_id: "globex" }, ["id", "expires_at"]);
    await updateRows(apiKeys, { expires_at: Date.now() - 1 }, { partner_id: "globex" });
    await refused(keys.globex);
    await updateRows(apiKeys, { expires_at: before?.expires_at ?? null }, { partner_id: "globex" });
    expect(await listed("?partner=globex")).toMatchObject([{ reason: "expired", partner_id: "globex" }]);
    expect(await listed("?partner=acme")).toEqual([]);
  });

  it("is found by its last characters and by its address", async () => {
    // The refusals of the minute before are counted in memory: these are others.
    await refused("d0000000-0000-4000-8000-00000000beef");
    await refused("another");
    const [{ address }] = await listed();
    expect(await listed("?hint=beef")).toMatchObject([{ reason: "unknown" }]);
    expect(await listed(`?address=${address}`)).toHaveLength(2);
    expect(await listed("?address=192.0.2.77")).toEqual([]);
    const first = (await ops("refused-keys?limit=1")).body;
    const second = (await ops(`refused-keys?limit=1&cursor=${first.next}`)).body;
    expect([...first.data, ...second.data].map(({ reason }) => reason)).toEqual(["malformed", "unknown"]);
    expect(second.next).toBeNull();
  });
});

describe("the count of refused keys", () => {
  beforeEach(atNoon);

  const one = { network: "192.0.2.1", hint: "dead", reason: "unknown", partnerId: null, keyId: null } as const;

  it("is written at the first refusal, and once a minute from then on, with all of them", async () => {
    const { directory, clock } = cellDeps();
    const counts = new RefusedKeys();
    counts.note(one, clock.now());
    await counts.write({ directory, clock });
    for (let times = 0; times < 5; times += 1) counts.note(one, clock.now());
    expect(counts.write({ directory, clock })).toBeNull();
    pass(MINUTE);
    counts.note(one, clock.now());
    await counts.write({ directory, clock });
    expect(await listed()).toMatchObject([{ count: 7 }]);
  });

  it("is written once a minute also while the refusals never pause", async () => {
    const { directory, clock } = cellDeps();
    const counts = new RefusedKeys();
    let written = 0;
    for (let times = 0; times < 7; times += 1) {
      counts.note(one, clock.now());
      const writing = counts.write({ directory, clock });
      if (writing !== null) written += 1;
      await writing;
      pass(MINUTE / 2);
    }
    expect(written).toBe(4);
    expect(await listed()).toMatchObject([{ count: 7 }]);
  });

  it("ends with the bound of a day, and begins again with the next one", async () => {
    const { directory, clock } = cellDeps();
    const day = Date.now() - (Date.now() % DAY);
    const row = (index: number) => ({ day, network: `n${index}`, hint: "", reason: "unknown", count: 1, first_at: day, last_at: day });
    for (let index = 0; index < limits.refusedKeys.perDay; index += 100)
      await Promise.all(Array.from({ length: 100 }, (_, more) => insertRow(refusedKeys, row(index + more))));
    const counts = new RefusedKeys();
    counts.note(one, clock.now());
    await counts.write({ directory, clock });
    expect(await countOf(refusedKeys)).toBe(limits.refusedKeys.perDay);
    pass(2 * MINUTE);
    counts.note(one, clock.now());
    expect(counts.write({ directory, clock })).toBeNull();
    pass(DAY);
    counts.note(one, clock.now());
    await counts.write({ directory, clock });
    expect(await countOf(refusedKeys)).toBe(limits.refusedKeys.perDay + 1);
  });

  it("gives one address only so many rows of a day, in one batch and in several, and others theirs", async () => {
    const { directory, clock } = cellDeps();
    const { perAddress } = limits.refusedKeys;
    const counts = new RefusedKeys();
    const refuse = async (network: string, from: number, to: number) => {
      for (let index = from; index < to; index += 1) counts.note({ ...one, network, hint: `${index}` }, clock.now());
      const writing = counts.write({ directory, clock });
      await writing;
      return writing !== null;
    };
    await refuse("192.0.2.1", 0, perAddress - 2);
    await refuse("192.0.2.1", perAddress, perAddress + 5);
    expect(await countOf(refusedKeys)).toBe(perAddress);
    expect(await refuse("192.0.2.1", 200, 201)).toBe(true);
    expect(await refuse("192.0.2.1", 300, 301)).toBe(false);
    expect(await refuse("192.0.2.2", 0, 1)).toBe(true);
    expect(await countOf(refusedKeys)).toBe(perAddress + 1);
    pass(DAY);
    expect(await refuse("192.0.2.1", 0, 1)).toBe(true);
    expect(await countOf(refusedKeys)).toBe(perAddress + 2);
  });

  it("is kept for seven days", async () => {
    await refused("d0000000-0000-4000-8000-00000000cafe");
    pass(6 * DAY);
    await deleteExpiredInDirectory(cellDeps());
    expect(await countOf(refusedKeys)).toBe(1);
    pass(3 * DAY);
    await deleteExpiredInDirectory(cellDeps());
    expect(await countOf(refusedKeys)).toBe(0);
  });
});

describe("the cure of an upstream's failure", () => {
  const failed = async (kind: string) => {
    await control("/faults", { target: "processor", call: "payment_links.create", times: 99, kind });
    const { body } = await call(CART, cart({ client_token: crypto.randomUUID() }));
    expect(body.error_code).toBe("INTEGRATION_UPSTREAM_ERROR");
    const list = () => ops("partners/acme/requests?outcome=refused&code=INTEGRATION_UPSTREAM_ERROR&limit=1");
    await until(async () => expect((await list()).body.data[0]?.message).toBe(body.error_message));
    return (await list()).body.data[0].cure;
  };

  it("that refused the request is to correct it", async () => expect(await failed("http_400")).toBe("Correct what the message names."));
  it("that is down is to wait: there is nothing to correct", async () => {
    virtualTime();
    expect(await failed("reset")).toContain("No change is needed");
  });
});
