import { distance } from "fastest-levenshtein";
import yargs, { type Options } from "yargs";
import * as z from "zod";
import { calledAs } from "./called-as.ts";

/** The words that a command takes besides its options. */
interface Words {
  /** As the help shows them: `[parts..]` are none or more, `<name>` is one. */
  readonly usage: string;
  readonly describe: string;
  readonly choices?: readonly string[];
}

interface CommandLine<O extends Record<string, Options>> {
  /** The name of its script in package.json. */
  readonly name: string;
  /** What the command does, its settings and its exit codes. */
  readonly help: string;
  readonly options: O;
  readonly words?: Words;
}

/** The values of a command's options, by their names; names with a dash in camel case too. */
export type Given<O extends Record<string, Options>> = ReturnType<typeof parse<O>>;

/** What the arguments say; or the exit code of a command line that asked for help (0) or was wrong (2). */
type Read<O extends Record<string, Options>> = { readonly options: Given<O>; readonly words: readonly string[] } | { readonly exit: 0 | 2 };

/**
 * Reads a command's arguments. `--help` and `-h` print the help. A wrong argument is reported in one line, with the most
 * similar right one.
 */
export function readArguments<O extends Record<string, Options>>(args: readonly string[], command: CommandLine<O>): Read<O> {
  const faults: string[] = [];
  const given = parse(args, command, (fault) => faults.push(fault));
  const twice = Object.keys(command.options).find(
    (option) => command.options[option]?.array !== true && Array.isArray(z.record(z.string(), z.unknown()).parse(given)[option]),
  );
  const [fault = twice === undefined ? undefined : `--${twice} was given more than once.`] = unknownFirst(faults);
  if (fault !== undefined) {
    console.error(complaint(calledAs(command.name), fault, args, knownBy(command)));
    return { exit: 2 };
  }
  const { help, [labelOf(command.words)]: found } = z.record(z.string(), z.unknown()).parse(given);
  return help === true ? { exit: 0 } : { options: given, words: wordsSchema.parse(found) };
}

/** The parser's faults. An unknown argument comes first: it often is the misspelt one that another fault misses. */
export const unknownFirst = (faults: readonly string[]): string[] =>
  faults.toSorted((left, right) => Number(right.startsWith("Unknown")) - Number(left.startsWith("Unknown")));

/** All options, and all values that are named. */
function knownBy({ options, words }: CommandLine<Record<string, Options>>): string[] {
  const values = Object.values(options).flatMap(({ choices = [] }) => choices);
  return [...Object.keys(options).map((option) => `--${option}`), ...[...values, ...(words?.choices ?? [])].map(String)];
}

const wordsSchema = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((found) => [found].flat());

/** The name under which the parser has the words. */
function labelOf(words: Words | undefined): string {
  return /\w+/.exec(words?.usage ?? "")?.[0] ?? "_";
}

function parse<O extends Record<string, Options>>(
  args: readonly string[],
  { name, help, options, words }: CommandLine<O>,
  report: (fault: string) => void,
) {
  const usage = words === undefined ? "$0" : `$0 ${words.usage}`;
  return yargs([...args])
    .scriptName(calledAs(name))
    .command(usage, help, (own) =>
      words === undefined ? own : own.positional(labelOf(words), { type: "string", describe: words.describe, choices: words.choices }),
    )
    .options(options)
    .alias("help", "h")
    .detectLocale(false)
    .wrap(Math.min(120, process.stdout.columns ?? 120))
    .strict()
    .version(false)
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message: string | null, thrown: Error | undefined) => report(message ?? thrown?.message ?? "Wrong arguments."))
    .parseSync();
}

/**
 * One line about wrong arguments: the parser's message, the right argument that is most similar to the wrong one or, if
 * none is, all of them, and where the help is.
 */
export function complaint(name: string, message: string, args: readonly string[], known: readonly string[]): string {
  const wrong = wrongArgument(message, args);
  const what = wrong !== null && message.startsWith("Unknown") ? `Unknown argument: ${wrong}` : inOwnWords(message);
  const similar = wrong === null ? null : mostSimilar(wrong, known);
  const options = what.startsWith("Unknown argument") && known.length > 0 ? ` Possible: ${known.join(", ")}.` : "";
  const suggestion = similar === null ? options : ` Did you mean ${similar}?`;
  return `${what.trim().replace(/\.?$/, ".")}${suggestion} Help: ${name} --help`;
}

/** The parser's message in one line, and in the words of a command line. */
function inOwnWords(message: string): string {
  return message
    .replaceAll(/\s*\n\s*/g, " ")
    .replace(/^Not enough arguments following: (\S+)$/, "--$1 needs a value")
    .replace(/^Not enough non-option arguments: .*$/, "An argument is missing")
    .replace(/^Invalid values: Argument: (\S+), Given: ("[^"]*"), Choices: /, "$2 is not possible for $1. Possible: ");
}

/** The argument that the parser's message is about, without its value, which may be a secret; null if it is about none. */
function wrongArgument(message: string, args: readonly string[]): string | null {
  const [, unknown, given] = /^Unknown (?:argument|command)s?: ([^,\n]+)|Given: "([^"\n]+)"/.exec(message) ?? [];
  const found = unknown ?? given;
  if (found === undefined) return null;
  return args.map((arg) => arg.replace(/=.*/s, "")).find((arg) => arg.replace(/^-+/, "") === found) ?? found;
}

/** The known argument that differs least from a wrong one; null if none is similar. */
export function mostSimilar(wrong: string, known: readonly string[]): string | null {
  const [nearest] = known.map((one) => ({ one, steps: distance(wrong, one) })).toSorted((left, right) => left.steps - right.steps);
  return nearest !== undefined && nearest.steps <= Math.max(2, wrong.length / 3) ? nearest.one : null;
}

interface Whole {
  readonly describe: string;
  readonly min: number;
  readonly max?: number;
}

/** An option that takes a whole number. */
export function wholeNumber(name: string, { describe, min, max = Number.MAX_SAFE_INTEGER }: Whole) {
  const coerce = (text: string): number => {
    const value = Number(text);
    if (text !== "" && Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Error(
      `--${name} must be a whole number ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}.`,
    );
  };
  return { type: "string", requiresArg: true, describe, coerce } as const satisfies Options;
}
