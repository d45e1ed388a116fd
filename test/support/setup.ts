import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll } from "vitest";
import { loadFixtures } from "../../sandbox/fixtures.ts";
import { openDatabase } from "../../src/db/client.ts";
import { connectObserver } from "./observe.ts";
import { connectSandbox, SANDBOX } from "./stack.ts";

beforeAll(async () => {
  connectSandbox();
  connectObserver();
  await applyD1Migrations(env.DB, env.MIGRATIONS);
  await loadFixtures(openDatabase(env.DB), SANDBOX);
});
