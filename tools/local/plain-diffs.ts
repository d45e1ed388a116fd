import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase } from "vitest/node";

/** Takes the colours from the differences that tests in the Workers runtime print: it does not know that a pipe reads them. */
export class PlainDiffs implements Reporter {
  onTestCaseResult(test: TestCase): void {
    for (const error of test.result().errors ?? []) if (error.diff !== undefined) error.diff = stripVTControlCharacters(error.diff);
  }
}
