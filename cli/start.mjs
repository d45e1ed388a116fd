// The door to every command. Plain JavaScript, so that a Node which is too old can still read it and say so.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  const cure = "Run it through npm after `npm ci` (which brings Node 24 for Linux and Windows), or install Node 22.18 or newer.";
  console.error(`This needs Node 22.18 or newer and runs on ${process.versions.node}. ${cure}`);
  process.exit(1);
}

const commands = {
  dev: "start the local stack: the edge and the sandbox",
  demo: "walk one order through a stack of its own, step by step",
  test: "run all tests",
  check: "check types, style, layers, dead code, migrations and the bundle",
  bench: "measure what requests cost, as ratios to a reference in the same run",
};

const [name = "", ...rest] = process.argv.slice(2);
if (!Object.hasOwn(commands, name)) {
  console.error(`Commands: ${Object.keys(commands).join(", ")}`);
  for (const [command, does] of Object.entries(commands)) console.error(`  npm run ${command.padEnd(6)} ${does}`);
  process.exit(2);
}
const { run } = await import(`./${name}.ts`);
process.exitCode = await run(rest);
