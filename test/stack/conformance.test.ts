import { join } from "node:path";
import { expect, it } from "vitest";
import { SCENARIOS } from "../../tools/cli/conformance/scenarios.ts";
import { captureTool, root } from "../../tools/local/processes.ts";
import { isFull } from "./scale.ts";

it.runIf(isFull)(
  "npm run check:mcp: the official conformance suite finds nothing in either revision that is not written down",
  async () => {
    const { code, output } = await captureTool(join(root, "tools", "cli", "start.mjs"), ["check:mcp"], { quiet: true });
    expect(code).toBe(0);
    const passed = Object.entries(SCENARIOS).flatMap(([revision, { run }]) =>
      [...run, "authorization server"].map((scenario) => `ok     ${revision} ${scenario}`),
    );
    const complete = Object.keys(SCENARIOS).map((revision) => `ok     ${revision} every scenario is run or has its reason`);
    expect(output.split("\n").filter((line) => line.startsWith("ok"))).toEqual([...complete, ...passed]);
  },
);
