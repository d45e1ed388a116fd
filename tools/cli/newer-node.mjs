// Plain JavaScript for a Node that is too old to read any other file of the commands.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Its lock file says which Node it is. */
const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "..", "newer-node");
const BIN = join(FOLDER, "node_modules", `node-${process.platform}-${process.arch}`, "bin");
const NODE = join(BIN, "node");

/** Whether this Node runs the commands: it reads TypeScript from 22.18 on. */
export function isNewEnough(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/**
 * Runs a command by the Node of tools/newer-node, which the first such command fetches from npm, and gives its exit code. All that the
 * command starts has that Node, too, and signals are passed on.
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export async function runByNewerNode(args) {
  const cure = "To have your own: https://nodejs.org, or npm exec --package=node@24 -- npm run <command>";
  console.error(`Node ${process.versions.node} is too old for this, so Node 24 from npm runs it. ${cure}`);
  if (!existsSync(NODE)) {
    const options = { cwd: FOLDER, stdio: ["ignore", "ignore", "inherit"], env: outsideOfNpm() };
    spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], options);
  }
  if (!existsSync(NODE)) {
    console.error(`npm has no Node 24 for ${process.platform}-${process.arch}, or could not fetch it: install Node 22.18 or newer.`);
    return 1;
  }
  const child = spawn(NODE, args, { stdio: "inherit", env: { ...process.env, PATH: `${BIN}:${process.env.PATH ?? ""}` } });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    child.once("error", () => resolve(1));
    child.once("close", (code) => resolve(code ?? 1));
  });
  return await ended;
}

/** What `npm run` has set for its script would lead another npm to the package around it. */
function outsideOfNpm() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
}
