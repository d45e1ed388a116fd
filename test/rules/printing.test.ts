import { stripVTControlCharacters } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { callEdge } from "../../tools/cli/operations/call.ts";
import type { Command } from "../../tools/cli/operations/command.ts";
import { commandOf, commandsFor } from "../../tools/cli/operations/commands.ts";
import { printAnswer, widthsOf } from "../../tools/cli/operations/print.ts";

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
  const word = (length: number) => "x".repeat(length);
  const text = (words: number) => Array.from({ length: words }, () => word(9)).join(" ");

  it.each<[string, string[], number, number[] | null]>([
    ["is as wide as its cells where there is room", [word(4), text(2), word(4)], 100, [4, 19, 4]],
    ["fits to the very column", [word(10), word(10)], 22, [10, 10]],
    ["wraps texts of several words, the widest first", [word(4), text(9), text(3)], 70, [4, 33, 29]],
    ["wraps no text within a word", [word(4), text(5), word(20)], 37, [4, 9, 20]],
    ["is blocks of lines where an id would be cut", [word(30), word(30)], 61, null],
    ["is as wide as its heads", ["", ""], 20, [1, 1]],
  ])("%s", (_what, cells, line, expected) => {
    expect(
      widthsOf(
        cells.map(() => "a"),
        [cells],
        line,
      ),
    ).toEqual(expected);
  });

  it("counts letters, not what a terminal acts on: colours do not cut heads", () => {
    vi.stubEnv("FORCE_COLOR", "1");
    const { out } = printed();
    printAnswer({ data: [{ id: "one", created_at: "2026" }], next: null }, { asJson: false, failed: false });
    expect(out.map((line) => stripVTControlCharacters(line))).toEqual(["id   created_at", "one  2026"]);
    vi.unstubAllEnvs();
  });

  it("is blocks of names and values on a narrow terminal, with every id whole", () => {
    const columns = process.stdout.columns;
    process.stdout.columns = 80;
    const { out } = printed();
    const id = word(60);
    printAnswer(
      {
        data: [
          { id, other: word(40) },
          { id, other: "" },
        ],
        next: null,
      },
      { asJson: false, failed: false },
    );
    process.stdout.columns = columns;
    expect(out).toEqual([`id     ${id}`, `other  ${word(40)}`, "", `id     ${id}`]);
  });

  it("has a head and a line for each row, and what a terminal would act on as a mark", () => {
    const { out } = printed();
    printAnswer({ data: [{ id: "one", name: "a\u001B[2Jb" }], next: null }, { asJson: false, failed: false });
    expect(out).toEqual(["id   name", "one  a�[2Jb"]);
  });
});

it("what lies in a cell is words: a summary in the command's language, an object by its names, and lists of them", () => {
  const { out } = printed();
  const summary = { en: "Paid $19.00.", ru: "Оплачено." };
  const upcoming = [
    { date: "2026-11-30", amount: 5 },
    { date: "2026-12-01", amount: null },
  ];
  printAnswer({ data: [{ id: "a", summary, upcoming }], next: null }, { asJson: false, failed: false });
  expect(out).toEqual(["id  summary       upcoming", "a   Paid $19.00.  date 2026-11-30, amount 5; date 2026-12-01"]);
});

it("a table in an object stands under its name", () => {
  const { out } = printed();
  printAnswer({ body: { items: [{ id: "a" }] } }, { asJson: false, failed: false });
  expect(out).toEqual(["body:", "  items:", "  id", "  a"]);
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

  it("send an amount with its decimals as a number", async () => {
    const enter = opsCalls.map(commandOf).find(({ command }) => command === "bank-fees enter") as Command;
    const sent: unknown[] = [];
    vi.stubGlobal("fetch", (_url: string, { body }: { body: string }) => {
      sent.push(JSON.parse(body).amount);
      return Promise.resolve(Response.json({ id: "bf_1" }));
    });
    printed();
    const given = { terminal: "main", date: "2026-10-31", document: "A", yes: true };
    for (const amount of ["1250.50", "-7", "1.", "1e3"])
      await callEdge(enter, { ...given, amount }, () => ({ url: "http://localhost:1", headers: {} }));
    expect(sent).toEqual([1250.5, -7, "1.", "1e3"]);
  });

  it("repeat a call that does a part of the work until nothing is left, and add up what was done", async () => {
    const rebuild = opsCalls.map(commandOf).find(({ command }) => command === "books rebuild") as Command;
    const answers = [
      { success: true, checked: 200, mended: 1, orders: [{ id: "pi_7", fields: ["fee"] }], next: "pi_200" },
      { success: true, checked: 200, mended: 0, orders: [], next: "pi_400" },
      { success: true, checked: 7, mended: 2, orders: [{ id: "pi_401", fields: ["missing"] }], next: null },
    ];
    const asked: string[] = [];
    vi.stubGlobal("fetch", (url: string) => {
      asked.push(new URL(url).search);
      return Promise.resolve(Response.json(answers[asked.length - 1]));
    });
    const { out, errors } = printed();
    const edge = () => ({ url: "http://localhost:1", headers: {} });
    expect(await callEdge(rebuild, { partner: "acme", json: true }, edge)).toBe(0);
    expect(asked).toEqual(["", "?after=pi_200", "?after=pi_400"]);
    expect(JSON.parse(out.join("\n"))).toMatchObject({ checked: 407, mended: 3, orders: [{ id: "pi_7" }, { id: "pi_401" }], next: null });
    expect(errors).toEqual(["checked: 200, mended: 1 …", "checked: 400, mended: 1 …"]);
  });

  it("end with a part that is refused", async () => {
    const rebuild = opsCalls.map(commandOf).find(({ command }) => command === "books rebuild") as Command;
    let calls = 0;
    vi.stubGlobal("fetch", () => {
      calls += 1;
      return Promise.resolve(
        calls === 1
          ? Response.json({ success: true, checked: 200, mended: 0, orders: [], next: "pi_200" })
          : Response.json({ success: false, error: "A cell is out of reach." }, { status: 503 }),
      );
    });
    const { errors } = printed();
    expect(await callEdge(rebuild, { partner: "acme" }, () => ({ url: "http://localhost:1", headers: {} }))).toBe(1);
    expect([calls, errors]).toEqual([2, ["checked: 200, mended: 0 …", "A cell is out of reach."]]);
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

  it("go on with every page after a pause where too much was asked in a minute, and not where it takes longer", async () => {
    const list = opsCalls.map(commandOf).find(({ command }) => command === "partners list") as Command;
    vi.useFakeTimers();
    const waits = [60, 7_200];
    let calls = 0;
    vi.stubGlobal("fetch", () => {
      calls += 1;
      if (calls === 1) return Promise.resolve(Response.json({ data: [{ id: "a" }], next: "k" }));
      const headers = { "Retry-After": String(waits.shift() ?? 0) };
      if (calls !== 3) return Promise.resolve(Response.json({ success: false, error: "Too many." }, { status: 429, headers }));
      return Promise.resolve(Response.json({ data: [{ id: "b" }], next: "l" }));
    });
    const { errors } = printed();
    const done = callEdge(list, { all: true, json: true }, () => ({ url: "http://localhost:1", headers: {} }));
    await vi.advanceTimersByTimeAsync(59_000);
    expect([calls, errors]).toEqual([2, ["Too many calls in this minute: it goes on in 60 s …"]]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([await done, calls]).toEqual([1, 4]);
    expect(errors.at(-1)).toContain("Too many.");
    vi.useRealTimers();
  });
});
