import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "./ports.ts";
import { UserFault } from "./processes.ts";
import { type Stack, startStack } from "./stack.ts";

/**
 * Does something with a stack of its own, on free ports and an empty state, and ends it however that goes. Told to end
 * by a signal, it breaks off. @throws UserFault for what the person at the keyboard can mend.
 */
export async function withTemporaryStack(name: string, work: (stack: Stack) => Promise<void>): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), `partner-payments-${name}-`));
  const told = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  try {
    const [port = 0, sandboxPort = 0] = await freePorts(2);
    const stack = await startStack({ port, sandboxPort, stateDir, quiet: true }, told);
    try {
      const interrupted = told.then(() => {
        throw new UserFault("it was told to end");
      });
      await Promise.race([work(stack), interrupted]);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}
