import { callEdge } from "../../../tools/cli/operations/call.ts";
import type { Command } from "../../../tools/cli/operations/command.ts";
import { runCommands } from "../../../tools/cli/operations/parser.ts";
import { type LocalEdge, partnerEdgeOf } from "./edge.ts";
import { DEFAULT_PROFILE } from "./profiles.ts";

/** How the command is called, and what it knows of the service. */
interface Program {
  /** As its help shows it. */
  readonly name: string;
  readonly epilogue: string;
  readonly commands: readonly Command[];
  /** The names of all events. */
  readonly events: () => Promise<readonly string[]>;
  readonly local: LocalEdge | null;
}

/** The partner's command line: every call as a command, and those for development. Returns the exit code. */
export function runPartner(args: readonly string[], { name, epilogue, commands, events, local }: Program): Promise<number> {
  const edgeOf = (given: Readonly<Record<string, unknown>>) => () => partnerEdgeOf({ url: given.url, profile: given.profile, local });
  return runCommands(args, {
    name,
    epilogue,
    commands,
    perform: (command, given) => callEdge(command, given, edgeOf(given)),
    more: (parser, noted) =>
      parser
        .option("profile", { type: "string", requiresArg: true, global: true, describe: "The name under which `login` kept a service" })
        .command(
          "login",
          "Keep the address of a service and your key for it",
          (own) => own.example(`${name} login --profile test`, "Keep them under a name"),
          noted(async (given) => {
            const { signIn } = await import("./sign-in.ts");
            return signIn(profileOf(given), given.url);
          }),
        )
        .command(
          "logout",
          "Forget a service and your key for it",
          {},
          noted(async (given) => {
            const { signOut } = await import("./sign-in.ts");
            return signOut(profileOf(given));
          }),
        )
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
              .option("since", { type: "string", requiresArg: true, describe: "Also the events since this time: 2026-11-27T08:00:00Z" })
              .example(`${name} listen --forward http://localhost:3000/hook`, "Forward new events until Ctrl-C"),
          noted(async (given) => {
            const { listen } = await import("./listen.ts");
            const since = typeof given.since === "string" ? given.since : undefined;
            return listen(edgeOf(given), { forward: String(given.forward), since });
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
              .option("set", {
                type: "string",
                array: true,
                requiresArg: true,
                describe: "A value instead of the example's, for example transaction.client_reference_id=order-7",
              })
              .example(`${name} trigger payment.succeeded`, "A completed payment")
              .example(`${name} trigger payment.succeeded --set transaction.amount=12.5`, "One of 12.50"),
          noted(async (given) => {
            const { trigger } = await import("./trigger.ts");
            return trigger(edgeOf(given), {
              event: String(given.event),
              known: await events(),
              set: textsIn(given.set),
              asJson: given.json === true,
            });
          }),
        ),
  });
}

const profileOf = ({ profile }: Readonly<Record<string, unknown>>): string => (typeof profile === "string" ? profile : DEFAULT_PROFILE);

/** The texts of an option that may be given several times. */
const textsIn = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : []);
