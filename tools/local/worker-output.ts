import { stripVTControlCharacters } from "node:util";
import * as z from "zod";

const entrySchema = z.looseObject({
  at: z.string(),
  level: z.enum(["info", "error"]),
  message: z.string(),
  method: z.string().optional(),
  operation: z.string().nullish(),
  partner: z.string().nullish(),
  outcome: z.string().optional(),
  code: z.string().nullish(),
  status: z.number().optional(),
  ms: z.number().optional(),
});
type Entry = z.infer<typeof entrySchema>;

/**
 * The part of `wrangler dev`'s output that `npm run dev` shows: a line for each request, failures, and build errors.
 */
export class WorkerOutput {
  readonly #write: (line: string) => void;
  #rest = "";
  /** Whether the lines of a wrangler error continue: until an empty one. */
  #isInError = false;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Takes the next piece of the output, which may end within a line. */
  take(piece: string): void {
    const lines = `${this.#rest}${piece}`.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#takeLine(stripVTControlCharacters(line).trimEnd());
  }

  #takeLine(line: string): void {
    const entry = entryIn(line);
    if (entry !== null) {
      this.#isInError = false;
      const shown = lineOf(entry);
      if (shown !== null) this.#write(shown);
      return;
    }
    if (line.includes("[ERROR]")) this.#isInError = true;
    else if (line === "") this.#isInError = false;
    if (this.#isInError || line.includes("Reloading")) this.#write(line);
  }
}

/** The Worker's log entry in a line. wrangler puts its own words before an error. */
function entryIn(line: string): Entry | null {
  const start = line.indexOf('{"at":');
  if (start < 0) return null;
  try {
    return entrySchema.safeParse(JSON.parse(line.slice(start))).data ?? null;
  } catch {
    return null;
  }
}

/** Null for successful work of the service itself, such as the cron's. */
function lineOf({ at, level, message, method, operation, partner, outcome, code, status, ms, ...others }: Entry): string | null {
  // The pages of the sandbox, the dashboard and the console read all the time, which would hide the developer's own requests.
  if (method === "GET" && /^(?:ops|partner) /.test(operation ?? "") && outcome === "success") return null;
  const time = at.slice(11, 19);
  if (outcome === undefined) {
    const said = Object.entries(others).map(([name, value]) => `${name}=${String(value)}`);
    return `${time}  ${level === "error" ? "ERROR  " : ""}${[message, ...said].join("  ")}`;
  }
  if (message !== "request" && outcome === "success") return null;
  const what = message === "request" ? [String(status ?? ""), method ?? "", operation ?? "(no operation)"] : [message, operation ?? ""];
  const end = [outcome === "success" ? null : outcome, code ?? null, partner ?? null, `${ms ?? 0} ms`];
  return `${time}  ${[...what, ...end].filter((part) => part !== null && part !== "").join("  ")}`;
}
