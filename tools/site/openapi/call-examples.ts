import { type Argument, argumentsOf } from "../../../src/http/calls/arguments.ts";
import type { Call } from "../../../src/http/calls/call.ts";

type Values = Readonly<Record<string, unknown>>;

/** A request of a call with the values of its command's example, by their places. */
export interface ExampleRequest {
  readonly path: Values;
  readonly query: Values;
  readonly body: Values;
}

/** The request that the command in a call's example sends. @throws Error if the example is no command line of the call */
export function exampleRequestOf(call: Call): ExampleRequest {
  const all = argumentsOf(call);
  const given = new Map<Argument, string[]>();
  const positional = all.filter(({ isPositional }) => isPositional);
  let option: Argument | undefined;
  for (const word of wordsOf(call.example)) {
    const name = /^--(.+)$/.exec(word)?.[1];
    if (name !== undefined) {
      option = all.find((one) => one.name === name && !one.isPositional);
      if (option === undefined) throw new Error(`the example of ${call.command} names ${word}, which it does not take`);
      given.set(option, []);
      continue;
    }
    const of = option ?? positional.shift();
    if (of === undefined) throw new Error(`the example of ${call.command} has a word too many: ${word}`);
    given.set(of, [...(given.get(of) ?? []), word]);
    if (of === option && !of.array) option = undefined;
  }
  const of = (where: Argument["in"]): Values =>
    Object.fromEntries([...given].filter(([one]) => one.in === where).map(([one, words]) => [one.name, exampleValue(one, words)]));
  return { path: of("path"), query: of("query"), body: of("body") };
}

/** The words of a command line; quotes hold one together. */
const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

function exampleValue({ array, isNumber, type }: Argument, words: readonly string[]): unknown {
  const values = words.map((word) => (isNumber ? Number(word) : word));
  if (array) return values;
  return type === "boolean" ? true : values[0];
}
