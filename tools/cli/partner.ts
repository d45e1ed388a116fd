import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { eventNames } from "../../src/webhooks/admin/test-event.ts";
import { listen } from "./listen/listen.ts";
import { trigger } from "./listen/trigger.ts";
import { callEdge } from "./operations/call.ts";
import { runCommands } from "./operations/parser.ts";
import { partnerEdgeOf } from "./remote/partner-edge.ts";

const EPILOGUE = `Exit codes: 0 done; 1 refused, failed or out of reach; 2 wrong arguments.

--url (or PARTNER_API_BASE) is the service, and PARTNER_API_KEY your key. Without them the local stack is asked, as acme.
Completion: npm run --silent partner -- completion >> ~/.bashrc`;

/** `npm run partner`: every call of partners as a command, and two for development. Returns the exit code. */
export function run(args: readonly string[]): Promise<number> {
  return runCommands(args, {
    name: "npm run partner --",
    epilogue: EPILOGUE,
    // Only a browser has a session.
    calls: partnerCalls.filter(({ permission }) => permission !== "signed_in"),
    perform: (call, given) => callEdge(call, given, () => partnerEdgeOf(given.url)),
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
              .example("npm run partner -- listen --forward http://localhost:3000/hook", "Forward new events until Ctrl-C"),
          noted((given) => listen(() => partnerEdgeOf(given.url), String(given.forward))),
        )
        .command(
          "trigger <event>",
          "Send an example event of the test environment",
          (own) =>
            own
              .positional("event", {
                type: "string",
                demandOption: true,
                describe: `One of ${eventNames.join(", ")}; or without Processor.`,
              })
              .example("npm run partner -- trigger payment.succeeded", "A completed payment"),
          noted((given) => trigger(() => partnerEdgeOf(given.url), String(given.event))),
        ),
  });
}
