#!/usr/bin/env node
// The entry point of every command. Plain JavaScript, so that a Node that is too old can still run it.
import nodeModule from "node:module";
import { isNewEnough, runByNewerNode } from "./newer-node.mjs";

if (!isNewEnough()) process.exit(await runByNewerNode(process.argv.slice(1)));

// A pipe gets no colours: not every tool that a command starts sees that it writes to one.
if (!process.stdout.isTTY && process.env.FORCE_COLOR === undefined) process.env.NO_COLOR = "1";

// Compiled code is cached: a short command then takes a third less time.
nodeModule.enableCompileCache();

const commands = {
  dev: {
    does: "start the local stack: the edge and the sandbox",
    settings: {
      PORT: "of the edge; 8787",
      SANDBOX_PORT: "of the sandbox; 8788",
      STATE_DIR: "where databases and sandbox are kept; .wrangler/state",
      PROCESSOR_API_BASE: "another processor than the sandbox",
      BANK_API_BASE: "another bank than the sandbox",
      FIXTURES: "none: begin without partners, keys and products",
      CELLS: "how many databases the partners' data is spread over; 1, and those that the state has stay",
      RAW_LOGS: "1: all that the Worker logs, as it is",
    },
    load: () => import("./dev.ts"),
  },
  seed: {
    does: "fill the local databases with months of example data, for the eye and for measures",
    load: () => import("./seed.ts"),
  },
  sandbox: {
    does: "start the sandbox alone, beside `npx wrangler dev`",
    settings: { PORT: "of the edge; 8787", SANDBOX_PORT: "8788", STATE_DIR: "where it keeps its state; .wrangler/state" },
    load: () => import("./sandbox.ts"),
  },
  demo: { does: "run one order through a temporary stack, step by step", load: () => import("./demo.ts") },
  test: { does: "run all tests, the long proofs in part", load: () => import("./test.ts") },
  "test:full": {
    does: "run all tests, the long proofs in full",
    load: async () => ({ run: (await import("./test.ts")).runFull }),
  },
  "test:repeat": {
    does: "run all tests several times, or beside a busy machine, and report wall time, CPU time and counts",
    load: () => import("./test-repeat.ts"),
  },
  fuzz: { does: "send inputs by chance to every surface; a failure of ours is a defect", load: () => import("./fuzz.ts") },
  chaos: { does: "let chance loose on a whole stack, and audit the books", load: () => import("./chaos.ts") },
  check: {
    does: "check types, style, layers, dead code, the API description, migrations and the bundle",
    load: () => import("./check.ts"),
  },
  format: { does: "format the code, and mend what the basic lint can mend", load: () => import("./format.ts") },
  mutate: { does: "change the pure rules one operator at a time, and list what no test notices", load: () => import("./mutate.ts") },
  migration: { does: "generate a migration from the changes of the schema", load: () => import("./migration.ts") },
  schema: { does: "write docs/schema.md from the schema", load: () => import("./schema.ts") },
  "verify:processor": {
    does: "walk through the processor's test environment with a test key, and compare it with the sandbox",
    load: () => import("./verify-processor.ts"),
  },
  "verify:bank": {
    does: "walk through the bank's API with a test terminal, and compare it with the sandbox",
    load: () => import("./verify-bank.ts"),
  },
  shapes: {
    does: "write the processor's shapes that the sandbox checks against, from its library",
    load: () => import("./shapes.ts"),
  },
  ops: { does: "run operator commands against an edge", load: () => import("./ops.ts") },
  partner: { does: "run a partner's commands by key: deliveries, test events, listen", load: () => import("./partner.ts") },
  deploy: { does: "deploy to a Cloudflare account: make what is missing, migrate, deploy, check", load: () => import("./deploy.ts") },
  doctor: { does: "look at everything that an edge needs, and say what to do", load: () => import("./doctor.ts") },
  smoke: { does: "sell once in an edge's test environment, and clean up", load: () => import("./smoke.ts") },
  site: {
    does: "write the files that /docs, /openapi.json and /llms.txt serve; dev and deploy run it automatically",
    settings: { SITE: "built: make nothing, and fail if it is not there" },
    load: () => import("./site.ts"),
  },
  pictures: { does: "take the pictures of the dashboard for the docs", load: () => import("./pictures.ts") },
  "check:mcp": { does: "run the protocol's official conformance suite against /mcp", load: () => import("./check-mcp.ts") },
  completion: { does: "print the script for a shell's completion", load: () => import("./completion.ts") },
  bench: { does: "measure what requests cost, as ratios to a reference in the same run", load: () => import("./bench.ts") },
};

const [name = "", ...rest] = process.argv.slice(2);
if (name === "complete") {
  const { complete } = await import("./completion.ts");
  process.exit(await complete(rest, Object.keys(commands)));
}
const command = Object.entries(commands).find(([known]) => known === name)?.[1];
if (command === undefined) {
  const asksForHelp = ["", "help", "--help", "-h"].includes(name);
  const print = asksForHelp ? console.log : console.error;
  print(asksForHelp ? "The commands, each with its own --help:" : `Unknown command ${JSON.stringify(name)}. Available commands:`);
  for (const [known, { does }] of Object.entries(commands)) print(`  npm run ${known.padEnd(10)} ${does}`);
  process.exit(asksForHelp ? 0 : 2);
}
// A command with its own arguments has its own help. The others must load no package before they have begun.
if ("settings" in command && rest.length > 0) {
  if (!rest.some((argument) => argument === "--help" || argument === "-h")) {
    console.error(`npm run ${name} takes no arguments, and was given ${rest.join(" ")}. Help: npm run ${name} -- --help`);
    process.exit(2);
  }
  console.log(`npm run ${name}: ${command.does}. It takes no arguments.`);
  const settings = Object.entries(command.settings);
  if (settings.length > 0) console.log(`\nSettings, as in \`${settings[0]?.[0]}=… npm run ${name}\`:`);
  for (const [setting, what] of settings) console.log(`  ${setting.padEnd(20)} ${what}`);
  process.exit(0);
}
const { endOnSignals, exitCodeOf } = await import("../local/interruption.ts");
endOnSignals();
const { run } = await command.load();
const { guardConsole } = await import("../local/printable.ts");
guardConsole();
try {
  process.exitCode = exitCodeOf(await run(rest));
} catch (thrown) {
  // What the user can mend is said in a line.
  if (!(thrown instanceof Error && thrown.name === "UserFault")) throw thrown;
  console.error(thrown.message);
  process.exitCode = exitCodeOf(1);
}
