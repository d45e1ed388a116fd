import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { root } from "../../tools/local/processes.ts";
import { isFull } from "./scale.ts";
import { sharedStack } from "./shared-stack.ts";

/** The commands that print lists, in a pseudo-terminal, which `script` of util-linux makes. Other systems have another `script`. */
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

/** The lists that need no id. */
const listsOf = (
  calls: readonly { readonly command: string; readonly method: string; readonly path: string; readonly permission?: string }[],
) => calls.filter(({ method, path, permission }) => method === "GET" && !path.includes("{") && permission !== "signed_in");
const lists = [
  ...listsOf(opsCalls).map(({ command }) => ["ops", command] as const),
  ...listsOf(partnerCalls).map(({ command }) => ["partner", command] as const),
].filter(([, command]) => command.endsWith(" list") || command.endsWith(" waiting"));

describe.runIf(hasTerminal)("in a terminal", () => {
  it("there are lists to print", () => expect(lists.length).toBeGreaterThan(15));

  it.each(isFull ? lists : lists.filter((_, index) => index % 6 === 0))("%s %s fits, and breaks no word", (program, command) => {
    const words = command.split(" ");
    const whole = printed(500, program, words).join("\n");
    for (const width of [80, 200]) {
      const lines = printed(width, program, words);
      // An escape in a head was counted as letters, and broke the columns; an id that is cut cannot be copied.
      for (const line of lines) expect(line).not.toMatch(/\uFFFD|\[\d+m|…$/);
      const ids = (text: string) => new Set(text.match(/\b(?:evt|plink|pi|sub|key|emp|ep|card|grant|ses)_\w+/g));
      expect(ids(lines.join("\n"))).toEqual(ids(whole));
    }
  });
});
