import type { Continues } from "../../../src/core/continues.ts";
import type { Argument } from "../../../src/http/calls/arguments.ts";
import type { Call } from "../../../src/http/calls/call.ts";

/** What a command line needs to know of a call. */
export interface Command {
  /** Its words, noun first. */
  readonly command: string;
  /** Its words and its positional arguments, as the argument parser takes them. */
  readonly usage: string;
  readonly summary: string;
  readonly irreversible: string | null;
  readonly example: string;
  readonly method: Call["method"];
  readonly path: string;
  /** How it is repeated until nothing is left; null if it does all of its work at once. */
  readonly continues: Continues | null;
  readonly hasBody: boolean;
  readonly takesFile: boolean;
  readonly arguments: readonly Argument[];
}

/** Whether its answer comes in pages. */
export function hasPages({ arguments: all }: Command): boolean {
  return all.some(({ name }) => name === "cursor");
}
