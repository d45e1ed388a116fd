import { calledAs } from "./called-as.ts";
import { callEdge } from "./operations/call.ts";
import { commandsFor } from "./operations/commands.ts";
import { runCommands } from "./operations/parser.ts";
import { edgeOf, operatorHeaders } from "./remote/edge.ts";

const EPILOGUE = `Exit codes: 0 done; 1 refused, failed or out of reach; 2 wrong arguments.

--url (or OPS_BASE) is the edge, OPS_TOKEN the operators' token, and OPERATOR your name for the audit log. Without them
the local stack is asked. Completion for your shell: npx partner-payments completion --help`;

/** `npm run ops`: every operators' call as a command. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  return runCommands(args, {
    name: calledAs("ops"),
    epilogue: EPILOGUE,
    commands: await commandsFor("ops", async () => (await import("../../src/http/ops/calls/index.ts")).opsCalls),
    perform: (command, given) =>
      callEdge(command, given, () => {
        const edge = edgeOf(given.url);
        return { url: edge.url, headers: operatorHeaders(edge), ifUnreachable: "Start the local stack with npm run dev, or give --url." };
      }),
  });
}
