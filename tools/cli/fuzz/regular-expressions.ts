import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";
import * as t from "@babel/types";
import fc from "fast-check";
import { root } from "../../local/processes.ts";

/** A regular expression of the Worker. */
export interface Found {
  /** Its file, below src. */
  readonly file: string;
  readonly pattern: string;
  readonly flags: string;
}

/** All regular expressions of the Worker, in file order. */
export function regularExpressions(): Found[] {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
  return files.toSorted().flatMap((file) => {
    const code = readFileSync(join(root, "src", file), "utf8");
    const found: Found[] = [];
    t.traverseFast(parse(code, { sourceType: "module", plugins: file.endsWith("x") ? ["typescript", "jsx"] : ["typescript"] }), (node) => {
      const written = t.isRegExpLiteral(node) ? node : t.isNewExpression(node) ? composed(node) : null;
      if (written !== null) found.push({ file: file.replaceAll("\\", "/"), pattern: written.pattern, flags: written.flags });
    });
    return found;
  });
}

/** The expression of `new RegExp(<template>, <flags>)`, with a number for what is inserted. Null for anything else. */
function composed({ callee, arguments: [pattern, flags] }: t.NewExpression): Omit<Found, "file"> | null {
  if (!t.isIdentifier(callee, { name: "RegExp" }) || !t.isTemplateLiteral(pattern)) return null;
  const text = pattern.quasis.map(({ value }) => value.cooked ?? value.raw).join("99");
  return { pattern: text, flags: t.isStringLiteral(flags) ? flags.value : "" };
}

/** Whether a part of an expression may match any number of characters. Its time may grow faster than its text. */
export function isUnbounded({ pattern }: Pick<Found, "pattern">): boolean {
  return /[*+]|\{\d+,\}/.test(withoutClasses(pattern));
}

/**
 * Whether a repeated group holds a repetition, each of them bounded or not. Such an expression may try every way to divide
 * the same characters.
 */
export function isNested({ pattern }: Pick<Found, "pattern">): boolean {
  const REPEATED = /^(?:[*+]|\{\d+(?:,\d*)?\})/;
  let left = withoutClasses(pattern).replace(/\((?:\?(?:[:=!]|<[=!]|<\w+>))/g, "(");
  for (;;) {
    // The innermost group becomes "R" if it holds a repetition, else "C".
    const group = /\(([^()]*)\)/.exec(left);
    if (group === null) return false;
    const after = left.slice(group.index + group[0].length);
    const holds = /[*+?R]|\{\d/.test(group[1] ?? "");
    if (holds && REPEATED.test(after)) return true;
    left = `${left.slice(0, group.index)}${holds ? "R" : "C"}${after}`;
  }
}

const withoutClasses = (pattern: string) => pattern.replace(/\\u\{?[0-9a-f]+\}?|\\[pP]\{\w+\}|\\./gi, "C").replace(/\[[^\]]*\]/g, "C");

const PIECES = ["a", "0", " ", "-", ".", "@", "/", '"', "_", "+", "{", "\n", "a@", "a.", "a-", "0 ", "0.", "a@a.", "x ", "()"];
const LENGTH = 16_000;
/** The maximum growth of the time for a doubled text. */
const MAX_GROWTH = 2.5;
/** In milliseconds. Shorter times are too coarse to compare. */
const TOO_FAST = 4;
const TRIES = 3;

/** The inputs for which the time of an expression grows by more than {@link MAX_GROWTH} when the text doubles. */
export function slowInputs({ pattern, flags }: Pick<Found, "pattern" | "flags">): string[] {
  const literal = /^\^?([\w :.]*)/.exec(pattern.replace(/\\b|\(\?[:<!=]+/g, ""))?.[1] ?? "";
  const pieces = [...PIECES, ...(literal.length > 1 ? [literal] : [])];
  return pieces.flatMap((piece) =>
    ["", literal, '"'].flatMap((start) =>
      ["", "!"].flatMap((end) => {
        const textOf = (length: number) => start + piece.repeat(Math.ceil(length / piece.length)) + end;
        const [once, twice] = [timeOf(pattern, flags, textOf(LENGTH)), timeOf(pattern, flags, textOf(2 * LENGTH))];
        return twice > TOO_FAST && twice > MAX_GROWTH * once ? [`${start}${piece} repeated, then ${JSON.stringify(end)}`] : [];
      }),
    ),
  );
}

/** How long one text of {@link HOSTILE_LENGTH} characters may take, in milliseconds. A bounded ambiguity takes ten times as long. */
const MAX_TIME = 5;
const HOSTILE_LENGTH = 2_000;
const HOSTILE_SAMPLES = 40;

/**
 * The hostile texts of 2,000 characters that take an expression too long: texts that it matches, without separators and
 * with an end that it does not match, again and again.
 */
export function slowHostileTexts({ pattern, flags }: Pick<Found, "pattern" | "flags">): string[] {
  // Without assertions of what stands around, which the generator does not know.
  const matched = pattern.replace(/\\[bB]|\(\?<?[!=](?:\[[^\]]*\]|\\.|[^()[\]\\])*\)/g, "").replace(/^\^|\$$/g, "");
  const samples = fc.sample(fc.stringMatching(new RegExp(matched, flags.replace(/[gi]/g, "")), { size: "medium" }), {
    numRuns: HOSTILE_SAMPLES,
    seed: 1,
  });
  const hostile = samples.flatMap((sample) => {
    const dense = sample.replace(/[^\p{L}\p{N}]/gu, "");
    return [sample, dense, dense.slice(0, -1), sample.slice(0, -1)].flatMap((text) => [`${text}_ `, `${text}! `]);
  });
  return hostile.filter((text) => {
    const repeated = text.repeat(Math.ceil(HOSTILE_LENGTH / text.length)).slice(0, HOSTILE_LENGTH);
    return timeOf(pattern, flags, repeated, MAX_TIME) > MAX_TIME;
  });
}

/** The shortest time of a few runs that find all matches, in milliseconds. */
function timeOf(pattern: string, flags: string, text: string, fastEnough = TOO_FAST): number {
  const expression = new RegExp(pattern, flags);
  let shortest = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const began = performance.now();
    text.replace(expression, "");
    shortest = Math.min(shortest, performance.now() - began);
    if (shortest < fastEnough) break;
  }
  return shortest;
}
