import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { freePorts } from "../../local/ports.ts";
import { type Stack, startStack } from "../../local/stack.ts";

/** A stack for the tests of a file, or of a group: up before the first, gone after the last. Its addresses are there by then. */
export function ownStack({ fixtures = true } = {}): Pick<Stack, "edge" | "sandbox"> {
  let folder = "";
  let stack: Stack | undefined;
  const started = () => {
    if (stack === undefined) throw new Error("the stack is not up yet");
    return stack;
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "partner-payments-test-"));
    const [port = 0, sandboxPort = 0] = await freePorts(2);
    stack = await startStack({ port, sandboxPort, stateDir: folder, fixtures, output: "none" });
  });
  afterAll(async () => {
    await stack?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get edge() {
      return started().edge;
    },
    get sandbox() {
      return started().sandbox;
    },
  };
}
