import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import { type Argument, argumentsOf } from "../../../src/http/calls/arguments.ts";
import type { Call } from "../../../src/http/calls/call.ts";
import { ask, RemoteFault } from "../remote/edge.ts";
import { printAnswer } from "./print.ts";

type Given = Readonly<Record<string, unknown>>;

/** An edge, and the headers that say who asks. */
export interface AskedEdge {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Calls the edge with the arguments of a command and prints the answer. `edgeOf` may throw a {@link RemoteFault}.
 * Returns the exit code.
 */
export async function callEdge(call: Call, given: Given, edgeOf: () => AskedEdge): Promise<number> {
  if (call.irreversible !== null && given.yes !== true && !(await confirmed(call.irreversible))) return 1;
  let edge: AskedEdge;
  let response: Response;
  try {
    edge = edgeOf();
    const { path, body, type } = await requestOf(call, given);
    response = await ask(new URL(path, edge.url).href, {
      method: call.method,
      headers: { ...edge.headers, "Content-Type": type },
      body,
    });
  } catch (thrown) {
    if (thrown instanceof RemoteFault) console.error(`${thrown.message} Start the local stack with npm run dev, or give --url.`);
    else if (isFileFault(thrown)) console.error(`The file cannot be read: ${thrown.message}`);
    else throw thrown;
    return 1;
  }
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
  if (!isJson) {
    console.error(`${edge.url} answered ${response.status}, and not as this service does. Is the address right?`);
    return 1;
  }
  const answer: unknown = JSON.parse(text);
  printAnswer(answer, { asJson: given.json === true, failed: !response.ok });
  return response.ok && !hasFailed(answer) ? 0 : 1;
}

function isFileFault(thrown: unknown): thrown is Error {
  return thrown instanceof Error && "syscall" in thrown && (thrown.syscall === "open" || thrown.syscall === "read");
}

async function confirmed(consequence: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.error(`${consequence} Give --yes if you mean it.`);
    return false;
  }
  const asked = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D are not an answer.
  const closed = new Promise<string>((resolve) => asked.once("close", () => resolve("")));
  const answer = await Promise.race([asked.question(`${consequence} Go on? (yes/no) `), closed]);
  asked.close();
  return /^y(es)?$/i.test(answer.trim());
}

interface EdgeRequest {
  readonly path: string;
  readonly body: string | Buffer<ArrayBuffer> | null;
  readonly type: string;
}

async function requestOf(call: Call, given: Given): Promise<EdgeRequest> {
  const all = argumentsOf(call).filter(({ name }) => given[name] !== undefined);
  const of = (where: Argument["in"]) =>
    all.filter((one) => one.in === where).map((one) => [one.name, valueIn(one, given[one.name])] as const);
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
  const query = new URLSearchParams(of("query").map(([name, value]) => [name, String(value)])).toString();
  const address = query === "" ? path : `${path}?${query}`;
  const file = given.file;
  if (call.file !== null && typeof file === "string") {
    return { path: address, body: await readFile(file), type: file.endsWith(".json") ? "application/json" : "text/csv" };
  }
  return { path: address, body: call.body === null ? null : JSON.stringify(Object.fromEntries(of("body"))), type: "application/json" };
}

/**
 * Digits are sent as a number if the call needs one; any other text is sent unchanged, so that the edge reports the
 * fault.
 */
function valueIn({ isNumber }: Argument, value: unknown): unknown {
  return isNumber && typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
}

/** Whether the request was carried out but what it asked for failed: for example, the receiver refused a resent event. */
function hasFailed(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "success" in answer && answer.success === false;
}
