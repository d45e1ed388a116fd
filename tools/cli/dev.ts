import { resolve } from "node:path";
import { LOCAL_KEY, localSecrets } from "../../sandbox/local-settings.ts";
import { serveDashboard } from "../local/dashboard-server.ts";
import { type Amount, fillMonths } from "../local/fill-months.ts";
import { endingItself } from "../local/interruption.ts";
import { keepSite } from "../local/keep-site.ts";
import { root, UserFault } from "../local/processes.ts";
import { withProgress } from "../local/progress.ts";
import { SeedRequest } from "../local/seed-request.ts";
import { signInLink } from "../local/sign-in-link.ts";
import { Interrupted, type Stack, type StackOptions, startStack } from "../local/stack.ts";

const PLACE_WIDTH = 18;

/** The addresses of the stack, for a first look. */
function placesOf({ edge, sandbox }: Pick<Stack, "edge" | "sandbox">): readonly [what: string, where: string][] {
  return [
    ["begin here", `${edge}/docs/quickstart`],
    ["your key", `${LOCAL_KEY} (others: ${edge}/docs/test-data)`],
    ["be the customer", `${sandbox}: pay, refund, dispute, and see what your receiver gets`],
    ["be the operator", `${edge}/ops with the token ${localSecrets.OPS_TOKEN}`],
    ["below", "a line for each request; Ctrl-C ends all"],
  ];
}

/**
 * `npm run dev`: runs the local stack until it gets a signal or its parent process ends. `FIXTURES=none`: without
 * fixtures. `CELLS=3`: the number of databases for partners' data. `RAW_LOGS=1`: with the Worker's unfiltered output.
 */
export function run(): Promise<number> {
  return endingItself(async (interrupted) => {
    try {
      return await serve(interrupted.then(() => 0));
    } catch (thrown) {
      if (!(thrown instanceof UserFault)) throw thrown;
      if (thrown instanceof Interrupted) return 0;
      console.error(thrown.message);
      return 1;
    }
  });
}

/**
 * Serves until `stopping` resolves, or the edge has ended. Returns the exit code. Where `npm run seed` asks for example data, the stack
 * stops for it, and starts again.
 */
async function serve(stopping: Promise<number>): Promise<number> {
  const settings = readSettings();
  const requests = new SeedRequest(resolve(root, settings.stateDir));
  requests.clear();
  for (;;) {
    const ended = await serveOnce(settings, stopping, requests);
    if (typeof ended === "number") return ended;
    console.log("The databases are filled with example data; the stack starts again after it.");
    const place = { stateDir: resolve(root, settings.stateDir), ...originsOf(settings) };
    requests.answer(await fillMonths(place, ended));
  }
}

const originsOf = ({ port, sandboxPort }: StackOptions) => ({
  edge: `http://localhost:${port}`,
  sandbox: `http://localhost:${sandboxPort}`,
});

/** Serves once. Returns the exit code, or the example data that was asked for. */
async function serveOnce(settings: StackOptions, stopping: Promise<number>, requests: SeedRequest): Promise<number | Amount> {
  console.log("Starting the local stack …");
  const stack = await withProgress("Waiting for the edge …", () => startStack(settings, stopping));
  console.log(`ready: edge ${stack.edge}, sandbox ${stack.sandbox}`);
  const [link, pages] = await Promise.all([signInLink(stack.edge), serveDashboard(stack.edge)]);
  const dashboard = [
    ...(link === null ? [] : [["be the partner", `${link} (once)`] as const]),
    ...(pages === null ? [] : [["change the pages", `${pages.origin}/dashboard, with hot reload, signed in by the link above`] as const]),
  ];
  for (const [what, where] of [...placesOf(stack).slice(0, -1), ...dashboard, ...placesOf(stack).slice(-1)])
    console.log(`  ${what.padEnd(PLACE_WIDTH)}${where}`);
  const endKeeping = keepSite();
  const waiting = new AbortController();
  const code = await Promise.race([stopping, stack.ended, requests.next(waiting.signal)]);
  waiting.abort();
  endKeeping();
  await pages?.close();
  await stack.stop();
  return code;
}

function readSettings(): StackOptions {
  const { PORT, SANDBOX_PORT, STATE_DIR, PROCESSOR_API_BASE, BANK_API_BASE, FIXTURES, CELLS, RAW_LOGS } = process.env;
  return {
    port: Number(PORT ?? "8787"),
    sandboxPort: Number(SANDBOX_PORT ?? "8788"),
    stateDir: STATE_DIR ?? ".wrangler/state",
    processorApiBase: PROCESSOR_API_BASE,
    bankApiBase: BANK_API_BASE,
    fixtures: FIXTURES !== "none",
    cells: Number(CELLS ?? "1"),
    output: RAW_LOGS === "1" ? "raw" : "lines",
    restart: true,
  };
}
