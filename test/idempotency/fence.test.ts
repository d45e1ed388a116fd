import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { connectCell } from "../../src/db/client.ts";
import { walks } from "../../src/db/schema/index.ts";
import { advanceRecord, claimRecord, OwnershipLost, openRecord, readRecord } from "../../src/idempotency/store.ts";

const db = connectCell(env.CELL_1);
const wanted = (id: string) =>
  ({
    id,
    partnerId: "acme",
    generation: "v2",
    operation: "test",
    key: id,
    fingerprint: "f",
    plan: "{}",
    requestId: "first",
    holder: "holder of key_1",
  }) as const;
const open = async (record: ReturnType<typeof wanted>, owner: string, now: number) => {
  const { record: opened, fresh } = await openRecord(db, record, owner, { now, most: 1_000, budget: "test" });
  if (opened === undefined) throw new Error("no record");
  return { record: opened, fresh };
};
const row = (name: string) => db.insert(walks).values({ name, position: "" });
const written = async (name: string) => (await db.select().from(walks)).some((walk) => walk.name === name);

it("makes and claims a record once, and shows it as it stands afterwards", async () => {
  const first = await open(wanted("open"), "one", 1);
  expect(first).toMatchObject({ fresh: true, record: { owner: "one", epoch: 1, state: "running" } });
  const second = await open(wanted("open"), "two", 2);
  expect(second).toMatchObject({ fresh: false, record: { owner: "one", epoch: 1 } });
});

it("lets the owner move on, with the rows that follow", async () => {
  const { record } = await open(wanted("owner"), "one", 1);
  await advanceRecord(db, record, 2, { progress: '{"step":1}' }, [row("by owner")]);
  expect(await readRecord(db, "owner")).toMatchObject({ progress: '{"step":1}', epoch: 2, updatedAt: 2 });
  expect(await written("by owner")).toBe(true);
});

it("holds back a write, and every row of its batch, once somebody else has claimed the record", async () => {
  const { record } = await open(wanted("overlap"), "one", 1);
  const claimed = await claimRecord(db, record, "two", 2, { requestId: "next" });
  expect(claimed).toMatchObject({ owner: "two", epoch: 2 });
  await expect(advanceRecord(db, record, 3, { state: "completed", result: "stale" }, [row("by stale owner")])).rejects.toThrow(
    OwnershipLost,
  );
  expect(await readRecord(db, "overlap")).toMatchObject({ owner: "two", state: "running", result: null });
  expect(await written("by stale owner")).toBe(false);
});

it("does not let anybody claim a record that has moved on since it was looked at", async () => {
  const seen = await open(wanted("finished meanwhile"), "one", 1);
  await advanceRecord(db, seen.record, 2, { state: "completed", result: "first", completedAt: 2 }, []);
  await expect(claimRecord(db, seen.record, "two", 3, { requestId: "next" })).rejects.toThrow(OwnershipLost);
  expect(await readRecord(db, "finished meanwhile")).toMatchObject({ state: "completed", result: "first", owner: "one" });
});

it("lets two takers claim a record only once", async () => {
  const { record } = await open(wanted("race"), "one", 1);
  const takers = await Promise.allSettled(["two", "three"].map((owner) => claimRecord(db, record, owner, 2, { requestId: "next" })));
  expect(takers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
});

it("holds back a second completion by the same owner", async () => {
  const { record } = await open(wanted("twice"), "one", 1);
  const done = { state: "completed", result: "first", completedAt: 2 } as const;
  await advanceRecord(db, record, 2, done, []);
  await expect(advanceRecord(db, record, 3, { ...done, result: "second" }, [row("second")])).rejects.toThrow(OwnershipLost);
  expect(await readRecord(db, "twice")).toMatchObject({ result: "first" });
});

it("passes on a failure of the rows, and then nothing has moved", async () => {
  const { record } = await open(wanted("rows"), "one", 1);
  await row("taken");
  await expect(advanceRecord(db, record, 2, { state: "completed" }, [row("taken")])).rejects.toThrow(/UNIQUE/);
  expect(await readRecord(db, "rows")).toMatchObject({ state: "running" });
});
