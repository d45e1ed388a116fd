import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { argumentsOf } from "../../src/http/calls/arguments.ts";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import { root } from "../../tools/local/processes.ts";

/** `helpByCall("links enable", { link: link.id })`, in the code of stories. */
const HELP = /helpByCall\("([^"]+)", \{([^}]*)\}/g;

const helps = readdirSync(join(root, "src/story"))
  .filter((name) => name.endsWith(".ts"))
  .flatMap((name) => [...readFileSync(join(root, "src/story", name), "utf8").matchAll(HELP)])
  .map(([, command = "", given = ""]) => [command, [...given.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name = ""]) => name)] as const);

/** `{ command: "links enable", given: { link } }`: the help of a partner's story. */
const OWN_HELP = /\{ command: "([^"]+)", given: \{([^}]*)\}/g;

const ownHelps = [...readFileSync(join(root, "src/story/own-story.ts"), "utf8").matchAll(OWN_HELP)].map(
  ([, command = "", given = ""]) => [command, [...given.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name = ""]) => name)] as const,
);

it("a partner's story has help of its own", () => expect(ownHelps.length).toBeGreaterThan(2));

it.each(ownHelps)("the help `%s` of a partner names the arguments of the call: %j", (command, given) => {
  const call = partnerCalls.find((one) => one.command === command);
  expect(call).toBeDefined();
  const args = call === undefined ? [] : argumentsOf(call);
  expect(given).toEqual(args.filter(({ demandOption }) => demandOption === true).map(({ name }) => name));
});

it("the stories have help", () => expect(helps.length).toBeGreaterThan(8));

it.each(helps)("the help `%s` names the arguments of its call: %j", (command, given) => {
  const call = opsCalls.find((one) => one.command === command);
  expect(call).toBeDefined();
  const args = call === undefined ? [] : argumentsOf(call);
  expect(args.map(({ name }) => name)).toEqual(expect.arrayContaining(given));
  // What the call requires is given, so that a page or a command can carry it out as it is.
  expect(given).toEqual(expect.arrayContaining(args.filter(({ demandOption }) => demandOption === true).map(({ name }) => name)));
});
