import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../tools/local/ports.ts";
import { type Stack, startStack } from "../../tools/local/stack.ts";

/** A stack on free ports and an empty state. Whoever stops it takes its state away. */
export async function startTemporary({
  fixtures,
  prepare,
}: {
  readonly fixtures: boolean;
  /** Fills the empty state before the stack starts. */
  readonly prepare?: (stateDir: string) => Promise<void>;
}): Promise<Pick<Stack, "edge" | "sandbox" | "stop">> {
  const folder = await mkdtemp(join(tmpdir(), "partner-payments-test-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    await prepare?.(folder);
    const [port = 0, sandboxPort = 0] = await freePorts(2);
    const stack = await startStack({ port, sandboxPort, stateDir: folder, fixtures, output: "none" });
    const stop = async () => {
      await stack.stop();
      await remove();
    };
    return { ...stack, stop };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}
