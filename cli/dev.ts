import { UserFault } from "../local/processes.ts";
import { Interrupted, startStack } from "../local/stack.ts";

const PARENT_CHECK = 1_000;

/** `npm run dev`: runs the local stack until it gets a signal or its parent process ends. `FIXTURES=none`: without fixtures. */
export async function run(): Promise<number> {
  const {
    PORT = "8787",
    SANDBOX_PORT = "8788",
    STATE_DIR = ".wrangler/state",
    PROCESSOR_API_BASE,
    BANK_API_BASE,
    FIXTURES = "load",
  } = process.env;
  const stopping = new Promise<"interruption">((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve("interruption"));
    // npm starts this process through a shell, and the shell may end without forwarding the signal.
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && resolve("interruption"), PARENT_CHECK).unref();
  });
  try {
    console.log("Starting the local stack …");
    const stack = await startStack(
      {
        port: Number(PORT),
        sandboxPort: Number(SANDBOX_PORT),
        stateDir: STATE_DIR,
        processorApiBase: PROCESSOR_API_BASE,
        bankApiBase: BANK_API_BASE,
        fixtures: FIXTURES !== "none",
        quiet: false,
        restart: true,
      },
      stopping,
    );
    console.log(`ready: edge ${stack.edge}, sandbox ${stack.sandbox}`);
    const end = await Promise.race([stopping, stack.ended]);
    await stack.stop();
    return end === "interruption" ? 0 : end;
  } catch (thrown) {
    if (!(thrown instanceof UserFault)) throw thrown;
    if (thrown instanceof Interrupted) return 0;
    console.error(thrown.message);
    return 1;
  }
}
