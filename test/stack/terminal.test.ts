import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { argumentsOf } from "../../src/http/calls/arguments.ts";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { root } from "../../tools/local/processes.ts";
import { isFull } from "./scale.ts";
import { sharedStack } from "./shared-stack.ts";

/** The commands that print, in a pseudo-terminal, which `script` of util-linux makes. Other systems have another `script`. */
const hasTerminal = spawnSync("script", ["--version"]).stdout?.toString().includes("util-linux") ?? false;
const stack = sharedStack();

/** What a command prints in a terminal of so many columns. */
function printed(width: number, program: "ops" | "partner", words: readonly string[]): string[] {
  const command = [process.execPath, join(root, "tools/cli/start.mjs"), program, ...words].map((word) => `'${word}'`).join(" ");
  const env = {
    ...process.env,
    OPS_BASE: stack.edge,
    OPS_TOKEN: "ops-local",
    PARTNER_API_BASE: stack.edge,
    FORCE_COLOR: "1",
    TERM: "xterm-256color",
  };
  const { stdout, status } = spawnSync("script", ["-qec", `stty cols ${width}; ${command}`, "/dev/null"], { env, cwd: root });
  expect([words, status]).toEqual([words, 0]);
  return stripVTControlCharacters(stdout.toString())
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
}

/** Columns of a terminal in which every table fits. */
const WIDE = 500;

/** How often a command is run again because other tests on the same stack have changed what it lists. */
const ATTEMPTS = 20;

/** The ids in what a command prints. */
const idsIn = (lines: readonly string[]) => new Set(lines.join("\n").match(/\b(?:evt|plink|pi|sub|key|emp|ep|card|grant|ses)_\w+/g));

/** What a command prints in terminals of some widths, and the ids that it prints where every table fits. */
function printedWhileStill(widths: readonly number[], ...command: readonly [program: "ops" | "partner", words: readonly string[]]) {
  let ids = idsIn(printed(WIDE, ...command));
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const outputs = widths.map((width) => printed(width, ...command));
    const after = idsIn(printed(WIDE, ...command));
    if (after.symmetricDifference(ids).size === 0) return { outputs, ids };
    ids = after;
  }
  throw new Error("the rows changed each time");
}

/** The arguments of reading commands that need some, from the fixtures. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  "ops find": ["acme"],
  "ops partners show": ["acme"],
  "ops keys list": ["acme"],
  "ops employees list": ["acme"],
  "ops grants list": ["acme"],
  "ops products list": ["acme"],
  "ops requests list": ["acme"],
  "ops notes list": ["partner/acme"],
  "ops explain": ["acme", "payment-link-create", "never-used"],
};

/** The reading commands, with what they must be given. One whose id only a run makes is left out. */
const readers = [
  ...opsCalls.map((call) => ["ops", call] as const),
  ...partnerCalls.filter(({ permission }) => permission !== "signed_in").map((call) => ["partner", call] as const),
]
  // Without a chat, its command is refused.
  .filter(([, { method, command }]) => method === "GET" && command !== "chat show")
  .flatMap(([program, call]) => {
    const given = GIVEN[`${program} ${call.command}`];
    const isComplete = given !== undefined || argumentsOf(call).every(({ demandOption }) => demandOption !== true);
    return isComplete ? [[program, [...call.command.split(" "), ...(given ?? [])].join(" ")] as const] : [];
  });

/** By default, one of each program: they print all answers in one way. */
const oneOfEach = (["ops", "partner"] as const).flatMap((program) => readers.filter(([of]) => of === program).slice(0, 1));

describe.runIf(hasTerminal)("in a terminal", () => {
  it("there are commands that print", () => expect(readers.length).toBeGreaterThan(35));

  it.each(isFull ? readers : oneOfEach)("%s %s fits, and breaks no word", (program, command) => {
    const words = command.split(" ");
    const { outputs, ids } = printedWhileStill([80, 200], program, words);
    for (const lines of outputs) {
      // An escape in a head was counted as letters, and broke the columns; an id that is cut cannot be copied.
      for (const line of lines) expect(line).not.toMatch(/\uFFFD|\[\d+m|…$/);
      expect(idsIn(lines)).toEqual(ids);
    }
  });
});
