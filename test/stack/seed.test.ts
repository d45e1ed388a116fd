import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePorts } from "../../tools/local/ports.ts";
import { startCommand } from "./command.ts";
import { isFull } from "./scale.ts";

let stateDir = "";
beforeAll(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "partner-payments-seed-"));
});
afterAll(() => rm(stateDir, { recursive: true, force: true }));

it("npm run seed fills the databases once, with the number of payments that is asked for", async () => {
  const [PORT = 0] = await freePorts(1);
  const seed = () => startCommand("seed", ["--payments", "40", "--days", "10"], { STATE_DIR: stateDir, PORT: String(PORT) });
  const { code, output } = await seed();
  expect([code, output]).toEqual([0, expect.stringContaining("Done.")]);
  const movements = Number(/^live: (\d+) movements/m.exec(output)?.[1]);
  expect(movements).toBeGreaterThanOrEqual(36);
  if (!isFull) return;
  const again = await seed();
  expect([again.code, again.output]).toEqual([0, expect.stringContaining("are there already")]);
});
