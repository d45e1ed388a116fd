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
  expect(await start("demo", "-h")).toMatchObject({ code: 0, said: expect.stringContaining("It takes no arguments.") });
});

it("an unknown command lists the known ones", async () => {
  expect(await start("serve")).toMatchObject({ code: 2, said: expect.stringMatching(/Unknown command "serve"[\s\S]*npm run dev/) });
});
