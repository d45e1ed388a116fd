import { parseArgs } from "node:util";
import { endingItself } from "../../../tools/local/interruption.ts";
import { startLocal } from "./index.ts";

const HELP = `ppay-local [options]: the whole service on this machine, with a sandbox in the place of the processor and the bank.

  --port <number>          of the service; 8790, and 0 for a free one
  --sandbox-port <number>  of the sandbox, whose page lets you be the customer; 8791
  --state <folder>         keeps everything between two starts; without it each start is new
  --no-fixtures            without partners, keys and products to try things with
  --json                   one line of JSON with the addresses and the key, for programs
  --verbose                also what the service logs
  --help, --version

Ctrl-C ends all. Nothing leaves this machine, and no money moves.`;

const OPTIONS = {
  port: { type: "string", default: "8790" },
  "sandbox-port": { type: "string", default: "8791" },
  state: { type: "string" },
  "no-fixtures": { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  verbose: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
  version: { type: "boolean", default: false },
} as const;

/** Written into the bundle when it is made. */
declare const VERSION: string;

function readOptions() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (thrown) {
    console.error(`${thrown instanceof Error ? thrown.message : "Wrong arguments."} Help: ppay-local --help`);
    return null;
  }
}

async function run(): Promise<number> {
  const given = readOptions();
  if (given === null) return 2;
  if (given.help || given.version) {
    console.log(given.help ? HELP : VERSION);
    return 0;
  }
  const ports = [Number(given.port), Number(given["sandbox-port"])] as const;
  if (ports.some((port) => !Number.isInteger(port) || port < 0 || port > 65_535) || (ports[0] === ports[1] && ports[0] !== 0)) {
    console.error("A port is a number from 1 to 65535, or 0 for a free one, and the two differ. Help: ppay-local --help");
    return 2;
  }
  const [port, sandboxPort] = ports;
  try {
    await endingItself(async (interrupted) => {
      const service = await startLocal({
        ...(port === 0 ? {} : { port }),
        ...(sandboxPort === 0 ? {} : { sandboxPort }),
        fixtures: !given["no-fixtures"],
        ...(given.state === undefined ? {} : { stateDir: given.state }),
        ...(given.verbose ? { log: (line: string) => console.error(line) } : {}),
      });
      const { url, sandbox, key } = service;
      if (given.json) console.log(JSON.stringify({ url, sandbox, key }));
      else {
        const dashboard = await service.dashboardLink();
        console.log(`ready: ${url}`);
        if (key !== null) console.log(`  your key         ${key}`);
        console.log(`  be the customer  ${sandbox}`);
        if (dashboard !== null) console.log(`  dashboard        ${dashboard} (once)`);
        console.log("  Ctrl-C ends all");
      }
      await interrupted;
      await service.stop();
    });
    return 0;
  } catch (thrown) {
    const isTaken = thrown instanceof Error && /EADDRINUSE|address already in use/i.test(thrown.message);
    console.error(isTaken ? `Port ${port} or ${sandboxPort} is taken: choose others by --port and --sandbox-port.` : thrown);
    return 1;
  }
}

process.exitCode = await run();
