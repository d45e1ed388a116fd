import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../../tools/local/processes.ts";

/** The pages show what the Worker says: sums, states and amounts come from it (docs/dashboard.md). */

const PAGES = "dashboard/src";
/** Generated from the definitions of the calls. */
const GENERATED = /(?:schema\.d|definitions|bodies)\.ts$|ops\/api\/paths\.ts$/;

const sources = readdirSync(join(root, PAGES), { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !GENERATED.test(file))
  .map((file) => [file, readFileSync(join(root, PAGES, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")] as const);

/** Where a pattern is used, by file: only what is listed may. */
const usesOf = (pattern: RegExp) => sources.filter(([, text]) => pattern.test(text)).map(([file]) => file);

it("no page sums amounts: what counts calls or walks a path is listed", () => {
  expect(usesOf(/\.reduce[<(]/).toSorted()).toEqual(["shared/check.ts"]);
});

it("no page turns minor units into major ones: src/core/typed-amount.ts does, for forms", () => {
  // A share of steps and of events is no amount.
  expect(usesOf(/(?:\/|\*)\s*(?:100|1_?000?)\b/).toSorted()).toEqual([
    "home/checklist.tsx",
    "objects/links/funnel-steps.ts",
    "shared/share.ts",
  ]);
});

it("no page has a rule of a state: it shows the `state` that the Worker computes", () => {
  const dates = "revoked|disabled|deactivated|suspended|cancel|canceled|ended|expires";
  expect(
    usesOf(new RegExp(`\\? *"(?:active|expired|ending|failing|revoked)"|(?:${dates})_at\\s*(?:===|!==)\\s*null\\s*\\?\\s*["']`)),
  ).toEqual([
    // Until the processor has reported a change, the answer to it counts.
    "objects/subscriptions/shown-state.ts",
  ]);
  expect(usesOf(/new Date\([^)]*(?:_at|until)\)\s*[<>]|cancel_at_period_end\s*(?:&&|\|\|)/)).toEqual([]);
});

it("the rules find what they are about", () => {
  expect('status: row.revoked_at === null ? "active" : "revoked"').toMatch(/revoked_at\s*(?:===|!==)\s*null\s*\?\s*["']/);
  expect(sources.length).toBeGreaterThan(150);
});
