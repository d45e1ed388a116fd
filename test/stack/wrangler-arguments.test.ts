import { expect, it } from "vitest";
import { readDevArguments } from "../../tools/local/wrangler-arguments.ts";

it.each<[string, { port: number | null; stateDir: string | null } | null]>([
  ["node /x/node_modules/.bin/wrangler dev", { port: null, stateDir: null }],
  ["node /x/wrangler.js dev --port 9000 --persist-to elsewhere", { port: 9000, stateDir: "elsewhere" }],
  ["node /x/wrangler dev --port=9000 --persist-to=/tmp/state --ip localhost", { port: 9000, stateDir: "/tmp/state" }],
  ["node /x/wrangler --config other.toml dev --port nine", { port: null, stateDir: null }],
  ["node /x/wrangler deploy --dry-run", null],
  ["sh -c npm run --silent site", null],
  ["", null],
])("reads the command line %s", (line, read) => {
  expect(readDevArguments(line.split(" "))).toEqual(read);
});
