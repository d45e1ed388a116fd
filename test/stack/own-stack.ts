import { afterAll, beforeAll } from "vitest";
import type { Stack } from "../../tools/local/stack.ts";
import { startTemporary } from "./temporary.ts";

/** A stack for the tests of a file, or of a group: up before the first, gone after the last. Its addresses are there by then. */
export function ownStack({ fixtures = true } = {}): Pick<Stack, "edge" | "sandbox"> {
  let stack: Awaited<ReturnType<typeof startTemporary>> | undefined;
  const started = () => {
    if (stack === undefined) throw new Error("the stack is not up yet");
    return stack;
  };
  beforeAll(async () => {
    stack = await startTemporary({ fixtures });
  });
  afterAll(() => stack?.stop());
  return {
    get edge() {
      return started().edge;
    },
    get sandbox() {
      return started().sandbox;
    },
  };
}
