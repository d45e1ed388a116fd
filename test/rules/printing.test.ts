import { afterEach, describe, expect, it, vi } from "vitest";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { callEdge } from "../../tools/cli/operations/call.ts";
import { type Command, commandOf, commandsFor } from "../../tools/cli/operations/commands.ts";
import { fitted, printAnswer } from "../../tools/cli/operations/print.ts";

/** What the operators' and the partners' commands print. */

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function printed(): { readonly out: string[]; readonly errors: string[] } {
  const [out, errors]: [string[], string[]] = [[], []];
  vi.spyOn(console, "log").mockImplementation((line: unknown) => void out.push(String(line)));
  vi.spyOn(console, "error").mockImplementation((line: unknown) => void errors.push(String(line)));
  return { out, errors };
}

describe("a table", () => {
  it.each([
    ["as wide as its cells where there is room", [4, 10, 4], 100, [4, 10, 4]],
    ["whose widest column gets narrower", [4, 40, 4], 40, [4, 28, 4]],
    ["whose wide columns get narrower one after the other", [4, 40, 30], 40, [4, 16, 16]],
    ["whose columns never get narrower than eight", [40, 40, 40], 10, [8, 8, 8]],
    ["that fits to the very column", [10, 10], 22, [10, 10]],
  ])("%s", (_what, widths, line, expected) => {
    const found = fitted(widths, line);
    const total = found.reduce((sum, width) => sum + width, 2 * (found.length - 1));
    if (expected.some((width) => width > 8)) expect(total).toBeLessThanOrEqual(line);
    for (const [index, width] of expected.entries()) expect(Math.abs((found[index] ?? 0) - width)).toBeLessThanOrEqual(1);
  });

  it("has a head and a line for each row, and what a terminal would act on as a mark", () => {
    const { out } = printed();
    printAnswer({ data: [{ id: "one", name: "a\u001B[2Jb" }], next: null }, { asJson: false, failed: false });
    expect(out).toEqual(["id   name", "one  a�[2Jb"]);
  });
});

it("JSON is alone on stdout, and a refusal on stderr", () => {
  const { out, errors } = printed();
  printAnswer({ data: [] }, { asJson: true, failed: false });
  printAnswer({ error: "There is no partner x." }, { asJson: false, failed: true });
  expect([JSON.parse(out.join("\n")), errors]).toEqual([{ data: [] }, ["There is no partner x."]]);
});

describe("the commands", () => {
  it("are those of the calls, whether they were kept or not", async () => {
    const load = vi.fn(() => Promise.resolve(opsCalls));
    const first = await commandsFor("ops", load);
    const second = await commandsFor("ops", load);
    expect(load.mock.calls.length).toBeLessThanOrEqual(1);
    expect(first).toEqual(JSON.parse(JSON.stringify(opsCalls.map(commandOf))));
    expect(second).toEqual(first);
  });

  it("read every page by --all, and one without it", async () => {
    const list = opsCalls.map(commandOf).find(({ command }) => command === "partners list") as Command;
    const asked: string[] = [];
    vi.stubGlobal("fetch", (url: string) => {
      asked.push(new URL(url).search);
      const cursor = new URL(url).searchParams.get("cursor");
      return Promise.resolve(Response.json(cursor === null ? { data: [{ id: "a" }], next: "k" } : { data: [{ id: "b" }], next: null }));
    });
    const { out } = printed();
    const edge = () => ({ url: "http://localhost:1", headers: {} });
    expect(await callEdge(list, { all: true, json: true }, edge)).toBe(0);
    expect(JSON.parse(out.join("\n"))).toEqual({ data: [{ id: "a" }, { id: "b" }], next: null });
    expect(asked).toEqual(["", "?cursor=k"]);
    await callEdge(list, { json: true }, edge);
    expect(asked).toHaveLength(3);
  });
});
