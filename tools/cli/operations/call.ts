import { readFile } from "node:fs/promises";
import * as z from "zod";
import { nextPart, pauseAfter, summed } from "../../../src/core/continues.ts";
import type { Argument } from "../../../src/http/calls/arguments.ts";
import { fileTypes } from "../../../src/http/calls/download.ts";
import { askYesNo } from "../prompt.ts";
import { ask, RemoteFault, reasonOf } from "../remote/edge.ts";
import type { Command } from "./command.ts";
import { printAnswer } from "./print.ts";

type Given = Readonly<Record<string, unknown>>;

/** An edge, and the headers that say who asks. */
export interface AskedEdge {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What to do where it cannot be reached; left out: what a partner can do. */
  readonly ifUnreachable?: string;
}

/**
 * Calls the edge with the arguments of a command and prints the answer; with `--all`, that of every page. A call that does a part of the
 * work is repeated until nothing is left. `edgeOf` may throw a {@link RemoteFault}. Returns the exit code.
 */
export async function callEdge(command: Command, given: Given, edgeOf: () => AskedEdge): Promise<number> {
  if (command.irreversible !== null && given.yes !== true && !(await confirmed(command.irreversible))) return 1;
  try {
    const edge = edgeOf();
    const { answer, ok } = given.all === true ? await everyPage(command, given, edge) : await everyPart(command, given, edge);
    if (answer === FILE) return 0;
    printAnswer(answer, { asJson: given.json === true, failed: !ok });
    return ok && !hasFailed(answer) ? 0 : 1;
  } catch (thrown) {
    if (thrown instanceof RemoteFault) console.error(thrown.message);
    else if (isFileFault(thrown)) console.error(`The file cannot be read: ${thrown.message}`);
    else throw thrown;
    return 1;
  }
}

interface Answered {
  readonly answer: unknown;
  readonly ok: boolean;
  /** The seconds after which the same may be asked again, where too much was asked in a minute. */
  readonly retryAfter?: number;
}

const bytesSchema = z.instanceof(Uint8Array);

/** Answered in place of a file, which was printed. */
const FILE = Symbol("file");
const FILE_TYPES: ReadonlySet<string> = new Set(fileTypes);

/** @throws RemoteFault without an answer of this service */
async function askOnce(command: Command, given: Given, edge: AskedEdge): Promise<Answered> {
  const { path, body, type } = await requestOf(command, given);
  const init = { method: command.method, headers: { ...edge.headers, "Content-Type": type }, body };
  const response = await ask(new URL(path, edge.url).href, init).catch((thrown: unknown) => {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    throw new RemoteFault(`${thrown.message} ${edge.ifUnreachable ?? "Is the address right, and does the service run?"}`);
  });
  const [answeredAs = ""] = (response.headers.get("Content-Type") ?? "").split(";");
  if (FILE_TYPES.has(answeredAs) && response.body !== null) {
    // A file goes out as it comes: it may be longer than the memory.
    const reader = response.body.getReader();
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) process.stdout.write(bytesSchema.parse(part.value));
    } catch (thrown) {
      throw new RemoteFault(`The file was cut off: ${reasonOf(thrown)}. What was written is not whole.`);
    }
    return { answer: FILE, ok: response.ok };
  }
  const isJson = answeredAs === "application/json";
  if (!isJson) throw new RemoteFault(`${edge.url} answered ${response.status}, and not as this service does. Is the address right?`);
  const retryAfter = response.status === 429 ? Number(response.headers.get("Retry-After")) : 0;
  return { answer: await response.json(), ok: response.ok, ...(retryAfter > 0 && { retryAfter }) };
}

/** In seconds: what has to wait for longer, such as the changes of a day, fails. */
const LONGEST_WAIT = 120;

/** {@link askOnce} as a part of a longer work: it waits where too much was asked in a minute. */
async function askPart(command: Command, given: Given, edge: AskedEdge): Promise<Answered> {
  for (;;) {
    const asked = await askOnce(command, given, edge);
    const { retryAfter } = asked;
    if (retryAfter === undefined || retryAfter > LONGEST_WAIT) return asked;
    console.error(`Too many calls in this minute: it goes on in ${retryAfter} s …`);
    await new Promise((resolve) => setTimeout(resolve, retryAfter * 1_000));
  }
}

const fieldsSchema = z.record(z.string(), z.unknown());

/** The sum of all parts of the work; stderr shows the progress. If a part fails, its failure is the answer, and stderr has what was done before. */
async function everyPart(command: Command, given: Given, edge: AskedEdge): Promise<Answered> {
  const answers: Given[] = [];
  for (let part: Given | null = given; ; ) {
    const asked = await (answers.length === 0 ? askOnce : askPart)(command, part, edge);
    const answer = fieldsSchema.safeParse(asked.answer);
    if (!asked.ok || !answer.success) return asked;
    answers.push(answer.data);
    part = nextPart(command.continues, part, answer.data);
    const sofar = summed(command.continues, answers);
    if (part === null) return { answer: sofar, ok: true };
    console.error(`${(command.continues?.sums ?? []).map((name) => `${name}: ${String(sofar[name])}`).join(", ")} …`);
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(command.continues, answer.data)));
  }
}

const pageSchema = z.looseObject({ data: z.array(z.unknown()), next: z.string().nullable() });

/** All pages as one. A failed page is the answer. */
async function everyPage(command: Command, given: Given, edge: AskedEdge): Promise<Answered> {
  const rows: unknown[] = [];
  for (let cursor: unknown = given.cursor; ; ) {
    const { answer, ok } = await askPart(command, { ...given, cursor }, edge);
    const page = pageSchema.safeParse(answer);
    if (!ok || !page.success) return { answer, ok };
    rows.push(...page.data.data);
    cursor = page.data.next;
    if (cursor === null) return { answer: { ...page.data, data: rows }, ok };
  }
}

function isFileFault(thrown: unknown): thrown is Error {
  return thrown instanceof Error && "syscall" in thrown && (thrown.syscall === "open" || thrown.syscall === "read");
}

async function confirmed(consequence: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error(`${consequence} Give --yes if you mean it.`);
    return false;
  }
  return askYesNo(`${consequence} Go on?`);
}

interface EdgeRequest {
  readonly path: string;
  readonly body: string | Buffer<ArrayBuffer> | null;
  readonly type: string;
}

async function requestOf(command: Command, given: Given): Promise<EdgeRequest> {
  const all = command.arguments.filter(({ name }) => given[name] !== undefined);
  const of = (where: Argument["in"]) =>
    all.filter((one) => one.in === where).map((one) => [one.name, valueIn(one, given[one.name])] as const);
  const path = command.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
  const query = new URLSearchParams(of("query").map(([name, value]) => [name, String(value)])).toString();
  const address = query === "" ? path : `${path}?${query}`;
  const file = given.file;
  if (command.takesFile && typeof file === "string") {
    return { path: address, body: await readFile(file), type: file.endsWith(".json") ? "application/json" : "text/csv" };
  }
  return { path: address, body: !command.hasBody ? null : JSON.stringify(Object.fromEntries(of("body"))), type: "application/json" };
}

/**
 * Digits are sent as a number if the call needs one; any other text is sent unchanged, so that the edge reports the
 * fault.
 */
function valueIn({ isNumber }: Argument, value: unknown): unknown {
  return isNumber && typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Whether the request was carried out but what it asked for failed: for example, the receiver refused a resent event. */
function hasFailed(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "success" in answer && answer.success === false;
}
