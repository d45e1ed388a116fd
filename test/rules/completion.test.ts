import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../tools/local/processes.ts";
import { startCommand } from "../stack/command.ts";

/** The installed command, `partner-payments`: as `npm install` links it. */
let folder = "";
const env = () => ({ ...process.env, PATH: [folder, join(process.execPath, ".."), process.env.PATH].join(delimiter) });
const run = promisify(execFile);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-payments-bin-"));
  await symlink(join(root, "tools", "cli", "start.mjs"), join(folder, "partner-payments"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const SHELLS = ["bash", "zsh", "fish"];

describe.each(SHELLS)("completion for %s", (shell) => {
  const isInstalled = spawnSync(shell, ["--version"]).status === 0;

  it.runIf(isInstalled)("is a script that the shell can read", async () => {
    const { code, output } = await startCommand("completion", [shell]);
    expect(code).toBe(0);
    const file = join(folder, `completion.${shell}`);
    await writeFile(file, output);
    await expect(run(shell, ["-n", file])).resolves.toMatchObject({ stderr: "" });
  });

  it("is explained", async () => {
    expect((await startCommand("completion", ["--help"])).output).toContain(`partner-payments completion ${shell} >`);
  });
});

it("bash completes a command, a word of it, and an option", async () => {
  const { output } = await startCommand("completion", ["bash"]);
  await writeFile(join(folder, "completion.bash"), output);
  const complete = async (...words: string[]) => {
    const quoted = ["partner-payments", ...words].map((word) => `'${word}'`).join(" ");
    const script = `source ${folder}/completion.bash; COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _partner_payments; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return (await run("bash", ["-c", script], { env: env() })).stdout.trim().split("\n");
  };
  expect(await complete("do")).toEqual(["doctor"]);
  expect(await complete("ops", "partn")).toEqual(["partners"]);
  expect(await complete("ops", "partners", "li")).toEqual(["list"]);
  expect(await complete("partner", "deliveries", "list", "--si")).toEqual(["--since"]);
});

it("a shell that is none is refused with the ones that are", async () => {
  const { code, output } = await startCommand("completion", ["csh"]);
  expect([code, output]).toEqual([2, expect.stringContaining("partner-payments completion zsh")]);
});

it("help and messages name the command as it was called", async () => {
  const { stdout } = await run("partner-payments", ["fuzz", "--help"], { env: env() });
  expect(stdout).toMatch(/^partner-payments fuzz/);
  await expect(run("partner-payments", ["ops", "partner", "list"], { env: env() })).rejects.toMatchObject({
    code: 2,
    stderr: "Unknown command: partner list. Did you mean partners list? Help: partner-payments ops --help\n",
  });
});
