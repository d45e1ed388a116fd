import type { Schema } from "@cfworker/json-schema";
import type { Continues } from "../../../../src/core/continues.ts";

/** What the console knows of an operators' call: `npm run site` writes all of them from their definitions. */
export interface CallDefinition {
  readonly command: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly role: string;
  /** What cannot be undone; null for anything that can. */
  readonly irreversible: string | null;
  /** How a call that does a part of the work is repeated until nothing is left; null for any other. */
  readonly continues: Continues | null;
  readonly positional: readonly string[];
  readonly takesFile: boolean;
  readonly params: Schema;
  readonly query: Schema;
  readonly body: Schema | null;
}
