import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "./ports.ts";
import { UserFault } from "./processes.ts";
import { withProgress } from "./progress.ts";
import { type Stack, startStack } from "./stack.ts";

/** Where a stack will be, and its state. */
export interface StackPlace {
  readonly stateDir: string;
  readonly edge: string;
  readonly sandbox: string;
}

/**
 * Runs `work` with a temporary stack, on free ports and with an empty state, and always ends the stack afterwards. `prepare`
 * fills the state before the start. A signal aborts the work. @throws UserFault for errors that the user can fix.
 */
export async function withTemporaryStack(
  name: string,
  work: (stack: Stack) => Promise<void>,
  { cells = 1, prepare }: { readonly cells?: number; readonly prepare?: (place: StackPlace) => Promise<void> } = {},
): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), `partner-payments-${name}-`));
  const interruption = new Promise<void>((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
  try {
    const [port = 0, sandboxPort = 0] = await freePorts(2);
    await prepare?.({ stateDir, edge: `http://localhost:${port}`, sandbox: `http://localhost:${sandboxPort}` });
    const options = { port, sandboxPort, stateDir, fixtures: true, cells, output: "none" } as const;
    const stack = await withProgress("Waiting for the edge …", () => startStack(options, interruption));
    try {
      const interrupted = interruption.then(() => {
        throw new UserFault("a signal stopped it");
      });
      await Promise.race([work(stack), interrupted]);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}
