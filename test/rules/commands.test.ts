import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { root } from "../../tools/local/processes.ts";
import { command, isProgram, startCommand } from "../stack/command.ts";

// cspell:ignore frob inputz bundel amuont

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));

/** These read no arguments, and are stopped before they are loaded. */
const WITHOUT_ARGUMENTS = ["dev", "sandbox", "site"];

const say = (name: string, args: readonly string[]) =>
  isProgram(name) && !WITHOUT_ARGUMENTS.includes(name) ? command(name, args) : startCommand(name, args);

describe.each(Object.keys(scripts))("npm run %s", (name) => {
  it.each(["--help", "-h"])("prints its help for %s, and starts nothing", async (flag) => {
    const { code, output } = await say(name, [flag]);
    expect(code).toBe(0);
    expect(output).toMatch(new RegExp(`^npm (run )?${name}\\b`));
    expect(output.split("\n").length).toBeGreaterThan(1);
  });

  it("refuses --frob in one line that says where the help is", async () => {
    const { code, output } = await say(name, ["--frob"]);
    expect(code).toBe(2);
    expect(output).toMatch(new RegExp(`^[^\\n]+ Help: npm (run )?${name} -- --help\\n$`));
  });
});

it("a command without arguments says its settings", async () => {
  expect(await startCommand("dev", ["--help"])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/It takes no arguments[\s\S]*SANDBOX_PORT/),
  });
});

it.each<[name: "fuzz" | "check" | "chaos" | "ops" | "partner" | "deploy" | "shapes" | "migration", wrong: string[], line: string]>([
  ["fuzz", ["--inputz", "3"], "Unknown argument: --inputz. Did you mean --inputs? Help: npm run fuzz -- --help"],
  ["fuzz", ["--inputs", "0"], "--inputs must be a whole number of at least 1. Help: npm run fuzz -- --help"],
  ["fuzz", ["--seed"], "--seed needs a value. Help: npm run fuzz -- --help"],
  ["check", ["bundel"], "Did you mean bundle? Help: npm run check -- --help"],
  ["chaos", ["--break", "wrong amuont"], "Did you mean wrong amount? Help: npm run chaos -- --help"],
  ["chaos", ["--minutes", "0"], "--minutes must be more than 0. Help: npm run chaos -- --help"],
  ["deploy", ["--api-hots=x"], "Unknown argument: --api-hots. Did you mean --api-host? Help: npm run deploy -- --help"],
  ["fuzz", ["--seed", "1", "--seed", "2"], "Help: npm run fuzz -- --help"],
  ["deploy", ["--name", "a", "--name", "b"], "--name was given more than once. Help: npm run deploy -- --help"],
  ["shapes", ["--bank"], "--bank needs a value. Help: npm run shapes -- --help"],
  ["migration", [], "An argument is missing. Help: npm run migration -- --help"],
  ["ops", ["partner", "list"], "Unknown command: partner list. Did you mean partners list? Help: npm run ops -- --help"],
  ["ops", ["partners", "list", "--jsn"], "Unknown argument: --jsn. Did you mean --json? Help: npm run ops -- partners list --help"],
  ["ops", ["--frob"], "Unknown argument: --frob. Help: npm run ops -- --help"],
  ["migration", ["--frob"], "Unknown argument: --frob. Help: npm run migration -- --help"],
  ["ops", ["erase", "--order", "x"], "Possible: --payment_intent_id, --client_reference_id, --email, --partner, --url, --yes, --json."],
  ["partner", ["payments", "list", "--frob", "x"], "Unknown argument: --frob. Possible: --environment, --since, --until, --limit,"],
  ["partner", ["deliveries", "lst"], "Unknown command: deliveries lst. Did you mean deliveries list? Help: npm run partner -- --help"],
])("%s %j gets one line with the cure", async (name, wrong, line) => {
  const { code, output } = await command(name, wrong);
  expect([code, output.split("\n").length]).toEqual([2, 2]);
  expect(output).toContain(line);
});

it("takes each of several words", async () => {
  const { code, output } = await command("check", ["openapi", "migrations"]);
  expect([code, output]).toEqual([0, expect.stringMatching(/^Checks: openapi, migrations\..*\nok[^\n]*\nok/)]);
});

it("the bank's document reaches its program", async () => {
  await expect(command("shapes", ["--bank", "/nowhere/api.json"])).rejects.toThrow("/nowhere/api.json");
});

it.each([["--cells", "0"], ["--cells", "11"], ["--cells", "1.5"], ["--cells", "x"], ["--cell", "2"], ["2"]])(
  "the demo refuses %s %s, and starts nothing",
  async (...wrong) => {
    const { code, output } = await command("demo", wrong);
    expect([code, output.includes("temporary stack for this")]).toEqual([2, false]);
  },
);

it("an unknown command lists the known ones", async () => {
  expect(await startCommand("serve")).toMatchObject({
    code: 2,
    output: expect.stringMatching(/Unknown command "serve"[\s\S]*npm run dev/),
  });
});
