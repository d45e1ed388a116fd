import { printCompletion } from "../../../tools/cli/completion-scripts.ts";
import type { Command } from "../../../tools/cli/operations/command.ts";
import { endOnSignals, exitCodeOf } from "../../../tools/local/interruption.ts";
import { guardConsole } from "../../../tools/local/printable.ts";
import { runPartner } from "./run.ts";

/** Written into the bundle when it is made: the commands, the events and the version of this service. */
declare const BUNDLED: { readonly commands: readonly Command[]; readonly events: readonly string[]; readonly version: string };

const EPILOGUE = `Exit codes: 0 done; 1 refused, failed or out of reach; 2 wrong arguments.

Sign in once: ppay login. Or set PARTNER_API_BASE to the address of the service, and PARTNER_API_KEY to your key.
Completion for your shell: ppay completion --help`;

/** `ppay`, the installed command. */
const args = process.argv.slice(2);
endOnSignals();
guardConsole();
try {
  process.exitCode = exitCodeOf(await run());
} catch (thrown) {
  if (!(thrown instanceof Error && ["UserFault", "RemoteFault"].includes(thrown.name))) throw thrown;
  console.error(thrown.message);
  process.exitCode = exitCodeOf(1);
}

function run(): Promise<number> | number {
  const [first, ...rest] = args;
  if (first === "completion") return printCompletion("ppay", "ppay --get-yargs-completions ppay", rest);
  if (first === "--version" || first === "version") {
    console.log(BUNDLED.version);
    return 0;
  }
  const { commands, events } = BUNDLED;
  return runPartner(args, { name: "ppay", epilogue: EPILOGUE, local: null, commands, events: () => Promise.resolve(events) });
}
