// Plain JavaScript for a Node that is too old to read any other file of the commands.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), "..", "newer-node");
const MODULES = join(FOLDER, "node_modules");
const PACKAGE = join("node_modules", `node-${process.platform}-${process.arch}`);
const BIN = join(FOLDER, PACKAGE, "bin");
const NODE = join(BIN, "node");
/** How often the wrapper looks whether npm is still there, in milliseconds. */
const PARENT_CHECK = 500;

/** Whether this Node runs the commands: it reads TypeScript from 22.18 on. */
export function isNewEnough(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 22 || (major === 22 && minor >= 18);
}

/**
 * Runs a command by the Node of tools/newer-node, which the first such command fetches from npm, and gives its exit code. All that the
 * command starts has that Node, too. Signals are passed on, and the command ends when npm has ended.
 * @param {readonly string[]} args
 * @returns {Promise<number>}
 */
export async function runByNewerNode(args) {
  const old = `Node ${process.versions.node} is too old for this`;
  const cure = "https://nodejs.org, or npm exec --package=node@24 -- npm run <command>";
  if (wantedVersion() === undefined) {
    console.error(`${old}, and needs 22.18 or newer: ${cure}`);
    return 1;
  }
  console.error(`${old}, so Node 24 from npm runs it. To have your own: ${cure}`);
  if (installedVersion() !== wantedVersion()) fetchNode();
  if (!existsSync(NODE)) {
    console.error("npm could not fetch Node 24: the lines above say why.");
    return 1;
  }
  const child = spawn(NODE, args, { stdio: "inherit", env: { ...process.env, PATH: `${BIN}:${process.env.PATH ?? ""}` } });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && child.kill("SIGHUP"), PARENT_CHECK).unref();
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    child.once("error", (thrown) => {
      console.error(`Node 24 from npm does not start here: ${thrown.message}`);
      resolve(1);
    });
    child.once("close", (code) => resolve(code ?? 1));
  });
  return await ended;
}

const VERSION = String.raw`"version": "([\d.]{5,20})"`;

/** The version that the lock file has for this machine, if npm has one. */
const wantedVersion = () => foundIn("package-lock.json", new RegExp(`"${PACKAGE.replaceAll("\\", "/")}": \\{\\s{1,9}${VERSION}`));
const installedVersion = () => (existsSync(NODE) ? foundIn(join(PACKAGE, "package.json"), new RegExp(VERSION)) : undefined);

/**
 * @param {string} file of the folder
 * @param {RegExp} pattern
 */
function foundIn(file, pattern) {
  const path = join(FOLDER, file);
  return existsSync(path) ? pattern.exec(readFileSync(path, "utf8"))?.[1] : undefined;
}

/** Fetches it beside and moves it here when it is whole, since two commands may begin at once. */
function fetchNode() {
  console.error("Fetching it (190 MB, once) …");
  const beside = mkdtempSync(join(FOLDER, "node_modules-"));
  try {
    for (const file of ["package.json", "package-lock.json", ".npmrc"]) cpSync(join(FOLDER, file), join(beside, file));
    spawnSync("npm", ["ci", "--loglevel=error"], { cwd: beside, stdio: ["ignore", "ignore", "inherit"], env: outsideOfScript() });
    if (!existsSync(join(beside, PACKAGE, "bin", "node")) || installedVersion() === wantedVersion()) return;
    rmSync(MODULES, { recursive: true, force: true });
    renameSync(join(beside, "node_modules"), MODULES);
  } finally {
    rmSync(beside, { recursive: true, force: true });
  }
}

const OF_SCRIPT = /^npm_(?:package|lifecycle)_|^npm_config_local_prefix$/i;

/** What `npm run` has set for its script would lead another npm to the package around it. Settings of the user stay. */
function outsideOfScript() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !OF_SCRIPT.test(name)));
}
