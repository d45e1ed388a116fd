import { calledAs } from "./called-as.ts";
import { callEdge } from "./operations/call.ts";
import { commandsFor } from "./operations/commands.ts";
import { runCommands } from "./operations/parser.ts";
import { partnerEdgeOf } from "./remote/partner-edge.ts";

const EPILOGUE = `Exit codes: 0 done; 1 refused, failed or out of reach; 2 wrong arguments.

--url (or PARTNER_API_BASE) is the service, and PARTNER_API_KEY your key. Without them the local stack is asked, as acme.
Completion for your shell: npx ppay completion --help`;

/** `npm run partner`: every call of partners as a command, and two for development. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  const name = calledAs("partner");
  return runCommands(args, {
    name,
    epilogue: EPILOGUE,
    commands: await commandsFor("partner", loadCalls),
    perform: (command, given) => callEdge(command, given, () => partnerEdgeOf(given.url)),
    more: (parser, noted) =>
      parser
        .command(
          "listen",
          "Forward the events of the test environment, as they are signed, to a program on this machine",
          (own) =>
            own
              .option("forward", {
                type: "string",
                demandOption: true,
                requiresArg: true,
                describe: "The URL of your program, for example http://localhost:3000/hook",
              })
              .example(`${name} listen --forward http://localhost:3000/hook`, "Forward new events until Ctrl-C"),
          noted(async (given) => {
            const { listen } = await import("./listen/listen.ts");
            return listen(() => partnerEdgeOf(given.url), String(given.forward));
          }),
        )
        .command(
          "trigger <event>",
          "Send an example event of the test environment",
          (own) =>
            own
              .positional("event", {
                type: "string",
                demandOption: true,
                describe: "As in payment.succeeded; a wrong one lists all",
              })
              .example(`${name} trigger payment.succeeded`, "A completed payment"),
          noted(async (given) => {
            const { trigger } = await import("./listen/trigger.ts");
            return trigger(() => partnerEdgeOf(given.url), String(given.event), given.json === true);
          }),
        ),
  });
}

/** The calls of keys. Only a browser has a session. */
async function loadCalls() {
  const { partnerCalls } = await import("../../src/http/partner/calls/index.ts");
  return partnerCalls.filter(({ permission }) => permission !== "signed_in");
}
