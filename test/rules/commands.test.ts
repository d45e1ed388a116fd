import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { root } from "../../local/processes.ts";

/** Starts a command as npm does. */
const start = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(root, "cli/start.mjs"), ...args]).then(
    ({ stdout }) => ({ code: 0, said: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, said: stdout + stderr }),
  );

it("a command without arguments of its own says its settings, and starts nothing", async () => {
  const help = await start("dev", "--help");
  expect(help).toMatchObject({ code: 0, said: expect.stringMatching(/It takes no arguments[\s\S]*SANDBOX_PORT/) });
  expect(await start("dev", "now")).toEqual({ ...help, code: 2 });
  expect(await start("demo", "-h")).toMatchObject({ code: 0, said: expect.stringContaining("--cells") });
});

it.each([["--cells", "0"], ["--cells", "11"], ["--cells", "1.5"], ["--cells", "x"], ["--cell", "2"], ["2"]])(
  "the demo refuses %s %s, and starts nothing",
  async (...wrong) => {
    const { code, said } = await start("demo", ...wrong);
    expect([code, said.includes("temporary stack for this")]).toEqual([2, false]);
  },
);

it("an unknown command lists the known ones", async () => {
  expect(await start("serve")).toMatchObject({ code: 2, said: expect.stringMatching(/Unknown command "serve"[\s\S]*npm run dev/) });
});
