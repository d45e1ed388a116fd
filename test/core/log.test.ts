import { afterEach, describe, expect, it, vi } from "vitest";
import { consoleLog, errorFields } from "../../src/core/log.ts";

describe("what is logged of a thrown value", () => {
  it("is its class, its message and its cause's, without the values of a statement that failed", () => {
    const failed = new Error("Failed query: insert into people values (?, ?)\nparams: anna@example.com,+79031234567\nand more", {
      cause: new Error("D1_ERROR: no such table: people"),
    });
    expect(errorFields(failed)).toEqual({
      error_class: "Error",
      error_text: "Failed query: insert into people values (?, ?) (Error: D1_ERROR: no such table: people)",
      error_at: expect.not.stringContaining("anna"),
    });
    expect(errorFields("text")).toEqual({ error_class: "string", error_text: "", error_at: "" });
  });

  it("has the innermost places of our own files, and nothing that a message says", () => {
    const failed = new TypeError("no\n    at secret (/src/anna.ts:1:1)\nend");
    failed.stack = [
      `TypeError: ${failed.message}`,
      "    at takeBatch (file:///work/src/links/store.ts:12:34)",
      "    at async Library.run (file:///work/node_modules/library/index.js:5:6)",
      "    at async Runner.#enter (worker.js:78:90)",
      "    at worker.js:1:2",
      "    at <anonymous>",
      "    at one (a.ts:1:1)",
      "    at two (a.ts:2:2)",
    ].join("\n");
    expect(errorFields(failed).error_at).toBe("takeBatch store.ts:12:34, Runner.#enter worker.js:78:90, worker.js:1:2, one a.ts:1:1");
    failed.stack = "";
    expect(errorFields(failed).error_at).toBe("");
    // Without the message, nothing says where the places begin.
    failed.stack = `TypeError: another, ${"and so on, ".repeat(9)}\n    at one (a.ts:1:1)`;
    expect(errorFields(failed).error_at).toBe("");
    failed.stack = `TypeError: ${failed.message}\nsaid    at one (a.ts:1:1)\n    at two (a.ts:2:2) and more\n    at three (a.ts:3:3)`;
    expect(errorFields(failed).error_at).toBe("three a.ts:3:3");
  });

  it("a real one names the function that threw", () => {
    const thrower = () => {
      throw new Error("on purpose");
    };
    try {
      thrower();
    } catch (thrown) {
      expect(errorFields(thrown).error_at).toMatch(/^thrower log\.test\.ts:\d+:\d+/);
    }
    expect.assertions(1);
  });
});

describe("a line", () => {
  afterEach(() => vi.restoreAllMocks());

  it("is one JSON object with the time, the level, the message and all fields, those of the log first", () => {
    const info = vi.spyOn(console, "log").mockReturnValue();
    const error = vi.spyOn(console, "error").mockReturnValue();
    const log = consoleLog({ now: () => 0 }, { host: "one" }).with({ request: "r" });
    log.info("done", { count: 2 });
    log.error("failed");
    const common = { at: "1970-01-01T00:00:00.000Z", host: "one", request: "r" };
    expect(JSON.parse(String(info.mock.calls[0]?.[0]))).toEqual({ ...common, level: "info", message: "done", count: 2 });
    expect(JSON.parse(String(error.mock.calls[0]?.[0]))).toEqual({ ...common, level: "error", message: "failed" });
  });
});
