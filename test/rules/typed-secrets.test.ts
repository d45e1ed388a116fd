import { mkdtempSync, rmSync, statSync } from "node:fs";
import { relative } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { varsOf } from "../../tools/cli/deploy/config.ts";
import { forgetTyped, keepTyped, typedSecrets } from "../../tools/cli/deploy/private-settings.ts";
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

it("the next run has what was typed, only its owner can read it, and it goes once the platform has it", () => {
  keepTyped("shop", vars, { PROCESSOR_KEY_LIVE: "sk_live_typed" });
  keepTyped("shop", vars, { PROCESSOR_KEY_TEST: "sk_test_typed" });
  expect(typedSecrets("shop")).toEqual({ PROCESSOR_KEY_LIVE: "sk_live_typed", PROCESSOR_KEY_TEST: "sk_test_typed" });
  expect(statSync(`${folder}/shop.typed.json`).mode & 0o077).toBe(0);
  forgetTyped("shop");
  forgetTyped("shop");
  expect(typedSecrets("shop")).toEqual({});
});

it("what the Worker would refuse is not kept", () => {
  keepTyped("shop", vars, { PROCESSOR_KEY_LIVE: "sk_live_typed" });
  expect(() => keepTyped("shop", vars, { BANK_TERMINALS: "no JSON" })).toThrow(/BANK_TERMINALS/);
  expect(Object.keys(typedSecrets("shop"))).toEqual(["PROCESSOR_KEY_LIVE"]);
});
