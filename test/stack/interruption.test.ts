import { spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { whatWasDone } from "../../tools/cli/deploy/steps.ts";
import { freePorts } from "../../tools/local/ports.ts";
import { root } from "../../tools/local/processes.ts";
import { isFull } from "./scale.ts";

/** Ctrl-C, in a terminal: `script` gives each command a pseudo-terminal of its own. */

const HAS_TERMINAL = process.platform === "linux" && spawnSync("script", ["--version"]).status === 0;

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

/** With these arguments a command works longer than the test waits. The others need none. */
const ARGUMENTS: Readonly<Record<string, string>> = {
  deploy: "--dry-run",
  partner: "listen --forward http://localhost:9/",
  migration: "an_interrupted_one",
  mutate: "src/core/money.ts",
  bench: "worker",
};

/** They run until Ctrl-C, which is no failure. */
const UNTIL_CTRL_C = ["dev", "sandbox"];

/** These are over before a person finds the keys, or ask for something and wait. */
const SHORT = ["ops", "partner", "smoke", "doctor", "schema", "shapes", "migration", "format", "verify:processor", "verify:bank", "site"];

const LONG = Object.keys(scripts).filter((name) => !SHORT.includes(name));

/** By default one that starts a tool, and one that starts a stack and runs until Ctrl-C. */
const tried = isFull ? LONG : ["check", "dev"];

/** The processes that have a setting in their environment: all that a command started, in whatever group. */
function processesWith(mark: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const isMarked = readFileSync(`/proc/${pid}/environ`, "utf8").includes(mark);
        return isMarked ? [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")] : [];
      } catch {
        return []; // It ended in the meantime.
      }
    })
    .filter((line) => line !== "");
}

async function interrupted(name: string): Promise<{ readonly code: number | null; readonly mark: string; readonly output: string }> {
  const mark = randomUUID();
  const [port, sandboxPort] = await freePorts(2);
  const command = `npm run --silent ${name} -- ${ARGUMENTS[name] ?? ""}`;
  const terminal = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: root,
    env: { ...process.env, MARK: mark, PORT: String(port), SANDBOX_PORT: String(sandboxPort), STATE_DIR: `.wrangler/interrupted-${mark}` },
  });
  let output = "";
  terminal.stdout.on("data", (data: Buffer) => (output += data.toString()));
  const ended = new Promise<number | null>((resolve) => terminal.once("close", resolve));
  if (name === "sandbox") await expect.poll(() => output).toContain("ready: ");
  // `script`, its shell, npm, its shell and the command.
  else await expect.poll(() => processesWith(mark).length).toBeGreaterThanOrEqual(5);
  const press = () => terminal.stdin.write("\u0003");
  press();
  // On a busy machine the terminal may not be there yet when the key is pressed.
  const again = setInterval(press, 20_000);
  const code = await ended;
  clearInterval(again);
  return { code, mark, output };
}

describe.runIf(HAS_TERMINAL)("Ctrl-C ends all that was started by", () => {
  it.each(tried)("npm run %s", async (name) => {
    const { code, mark, output } = await interrupted(name);
    // The shell between npm and a command that ends well may be ended by the same key.
    expect([UNTIL_CTRL_C.includes(name) && code === 0 ? 130 : code, output]).toEqual([130, expect.any(String)]);
    await expect.poll(() => processesWith(mark), { timeout: 2_000 }).toEqual([]);
  });
});

it("an interrupted deployment says what was done, what was not, and how it goes on", () => {
  expect(whatWasDone("Who is logged in")).toContain('Done: nothing. Not begun: "What the account must have"');
  const late = whatWasDone("The Worker");
  expect(late).toContain('Interrupted in step 8, "The Worker".');
  expect(late).toContain('"Migrations", "The Worker of the short links". Not begun: "Check".');
  expect(late).toContain("wrangler deployments list");
  expect(whatWasDone("Check")).toContain("Not begun: nothing.");
  for (const text of [late, whatWasDone("Check")]) expect(text).toContain("run the same command again");
});
