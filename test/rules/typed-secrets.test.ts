import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { varsOf } from "../../tools/cli/deploy/config.ts";
import { keepTyped, makeSecrets } from "../../tools/cli/deploy/private-settings.ts";
import { readRecord } from "../../tools/cli/deploy/record.ts";
import { root } from "../../tools/local/processes.ts";

/** What a person typed is not asked for again after a deployment that did not end. */

let folder = "";
const before = process.env.DEPLOYMENTS_DIR;
beforeEach(() => {
  folder = mkdtempSync(`${root}/.wrangler/typed-`);
  process.env.DEPLOYMENTS_DIR = relative(root, folder);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  if (before === undefined) delete process.env.DEPLOYMENTS_DIR;
  else process.env.DEPLOYMENTS_DIR = before;
});

const vars = varsOf({ ...readRecord("shop"), api_host: "api.example.com", short_link_host: "pay.example.com" });
const MISSING = ["PROCESSOR_KEY_LIVE", "PROCESSOR_KEY_TEST", "OPS_TOKEN"];

it("the next run has what was typed, and only its owner can read it", () => {
  const token = makeSecrets("shop", MISSING, false).OPS_TOKEN;
  keepTyped("shop", vars, { PROCESSOR_KEY_LIVE: "sk_live_typed" });
  const made = makeSecrets("shop", MISSING, false);
  expect(made).toEqual({ PROCESSOR_KEY_LIVE: "sk_live_typed", OPS_TOKEN: token });
  expect(statSync(`${folder}/shop.secrets.json`).mode & 0o077).toBe(0);
});

it("what the Worker would refuse is not kept", () => {
  makeSecrets("shop", MISSING, false);
  expect(() => keepTyped("shop", vars, { BANK_TERMINALS: "no JSON" })).toThrow(/BANK_TERMINALS/);
  expect(readFileSync(`${folder}/shop.secrets.json`, "utf8")).not.toContain("no JSON");
});
