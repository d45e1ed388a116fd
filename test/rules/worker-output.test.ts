import { describe, expect, it } from "vitest";
import { WorkerOutput } from "../../tools/local/worker-output.ts";

/** What is shown of these pieces of output. */
function shown(...pieces: string[]): string[] {
  const lines: string[] = [];
  const output = new WorkerOutput((line) => lines.push(line));
  for (const piece of pieces) output.take(piece);
  return lines;
}
const entry = (fields: object) => `${JSON.stringify({ at: "2026-11-23T08:09:10.123Z", level: "info", message: "request", ...fields })}\n`;

describe("what npm run dev shows", () => {
  it("is a line for each request: status, method, operation, partner and time, and what became of it if that was no success", () => {
    const made = { method: "POST", operation: "create-link", partner: "acme", status: 200, ms: 53, trips: 3 };
    expect(shown(entry({ ...made, outcome: "success", code: null }))).toEqual(["08:09:10  200  POST  create-link  acme  53 ms"]);
    expect(shown(entry({ ...made, outcome: "refused", code: "INVALID_INPUT" }))).toEqual([
      "08:09:10  200  POST  create-link  refused  INVALID_INPUT  acme  53 ms",
    ]);
    expect(shown(entry({ method: "GET", operation: null, status: 404, outcome: "refused", ms: 1 }))).toEqual([
      "08:09:10  404  GET  (no operation)  refused  1 ms",
    ]);
  });

  it("is the service's own work only where it failed", () => {
    expect(shown(entry({ message: "cron run", operation: null, outcome: "success", ms: 9 }))).toEqual([]);
    expect(shown(entry({ message: "queue message", operation: "deliveries", outcome: "failed", code: "x", ms: 9 }))).toEqual([
      "08:09:10  queue message  deliveries  failed  x  9 ms",
    ]);
  });

  it("is a read of the pages only where it failed; a customer's first click and a change are shown", () => {
    const read = { method: "GET", operation: "partner links list", partner: "acme", status: 200, ms: 5 };
    expect(shown(entry({ ...read, outcome: "success" }), entry({ ...read, operation: "ops waiting", outcome: "success" }))).toEqual([]);
    expect(shown(entry({ ...read, outcome: "refused", status: 403, code: "PERMISSION_DENIED" }))).toHaveLength(1);
    expect(shown(entry({ ...read, method: "POST", operation: "partner links disable", outcome: "success" }))).toHaveLength(1);
    expect(shown(entry({ ...read, operation: "short-link", outcome: "success" }))).toHaveLength(1);
  });

  it("is an entry of the log with its fields, also within words and colours of wrangler, and cut anywhere", () => {
    const [first, second] = [
      `\u001b[31m✘ [ERROR]\u001b[0m {"at":"2026-11-23T08:09:10.`,
      `123Z","level":"error","message":"sweep failed","sweep":"cron"}\n\n`,
    ];
    expect(shown(first, second)).toEqual(["08:09:10  ERROR  sweep failed  sweep=cron"]);
  });

  it("is an error of the build, to its empty line, and nothing else that wrangler prints", () => {
    const noise = " ⛅️ wrangler 4\n[wrangler:info] POST / 200 OK (5ms)\n\n";
    expect(shown(noise, "✘ [ERROR] Build failed\n  src/app.ts:3:1\n\n", noise, "⎔ Reloading local server...\n", "{ no JSON\n")).toEqual([
      "✘ [ERROR] Build failed",
      "  src/app.ts:3:1",
      "⎔ Reloading local server...",
    ]);
  });
});
