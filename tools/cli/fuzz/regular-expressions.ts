import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "@babel/parser";
import * as t from "@babel/types";
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
      if (t.isRegExpLiteral(node)) found.push({ file: file.replaceAll("\\", "/"), pattern: node.pattern, flags: node.flags });
    });
    return found;
  });
}

/** Whether a part of an expression may match any number of characters. Only such an expression can become slow. */
export function isUnbounded({ pattern }: Pick<Found, "pattern">): boolean {
  const withoutClasses = pattern.replace(/\\./g, "C").replace(/\[[^\]]*\]/g, "C");
  return /[*+]|\{\d+,\}/.test(withoutClasses);
}

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

/** The shortest time of a few runs that find all matches, in milliseconds. */
function timeOf(pattern: string, flags: string, text: string): number {
  const expression = new RegExp(pattern, flags);
  let shortest = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES; tried += 1) {
    const began = performance.now();
    text.replace(expression, "");
    shortest = Math.min(shortest, performance.now() - began);
    if (shortest < TOO_FAST) break;
  }
  return shortest;
}
