import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endingItself } from "./interruption.ts";
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

interface Preparation {
  readonly cells?: number;
  readonly prepare?: (place: StackPlace) => Promise<void>;
}

/**
 * Runs `work` with a temporary stack, on free ports and with an empty state, and always ends the stack afterwards. `prepare`
 * fills the state before the start. A signal aborts the work. @throws UserFault for errors that the user can fix.
 */
export async function withTemporaryStack(
  name: string,
  work: (stack: Stack) => Promise<void>,
  preparation: Preparation = {},
): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), `partner-payments-${name}-`));
  try {
    await endingItself((interrupted) => runIn(stateDir, work, preparation, interrupted));
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

async function runIn(
  stateDir: string,
  work: (stack: Stack) => Promise<void>,
  { cells = 1, prepare }: Preparation,
  interruption: Promise<void>,
): Promise<void> {
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
}
