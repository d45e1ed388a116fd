import { expect, it } from "vitest";
import { command, startCommand } from "../stack/command.ts";

it("a command without arguments of its own says its settings, and starts nothing", async () => {
  const help = await startCommand("dev", ["--help"]);
  expect(help).toMatchObject({ code: 0, output: expect.stringMatching(/It takes no arguments[\s\S]*SANDBOX_PORT/) });
  expect(await startCommand("dev", ["now"])).toEqual({ ...help, code: 2 });
  expect(await command("demo", ["-h"])).toMatchObject({ code: 0, output: expect.stringContaining("--cells") });
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
