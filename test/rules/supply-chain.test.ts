import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { withoutCredentials } from "../../tools/cli/site/environment.ts";
import { root } from "../../tools/local/processes.ts";

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      link: z.boolean().optional(),
      dev: z.boolean().optional(),
      optional: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      license: z.string().optional(),
    }),
  ),
});

const read = (file: string) => readFile(join(root, file), "utf8");

describe("what is deployed", () => {
  it("has the licences that docs/dependencies.md lists, and no other", async () => {
    const { packages } = lockSchema.parse(JSON.parse(await read("package-lock.json")));
    const deployed = Object.entries(packages).filter(
      ([path, one]) => path.startsWith("node_modules/") && !one.link && !one.dev && !one.optional && !one.devOptional,
    );
    const lines = (await read("docs/dependencies.md")).matchAll(/^- (MIT|Apache-2\.0|ISC|0BSD|BSD-[23]-Clause): (.+)$/gm);
    const listed = [...lines].flatMap(([, licence, names = ""]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => `${name}: ${licence}`),
    );
    const found = deployed.map(([path, { license }]) => `${path.replace("node_modules/", "")}: ${license}`);
    expect(new Set(listed)).toEqual(new Set(found));
  });
});

describe("an installation", () => {
  it("runs no script of a package", async () => {
    expect(await read(".npmrc")).toMatch(/^ignore-scripts=true$/m);
  });
});

describe("a file with secrets", () => {
  it.each([
    ".dev.vars",
    ".dev.vars.production",
    ".env",
    ".env.local",
    "deploy.pem",
    "origin.key",
    "bank.p12",
    "bank.pfx",
    "secrets.json",
    "prod.secrets",
    "credentials.json",
    "wrangler.local.toml",
  ])("%s is never committed", async (file) => {
    const { stdout } = await promisify(execFile)("git", ["check-ignore", "--no-index", file], { cwd: root });
    expect(stdout.trim()).toBe(file);
  });
});

describe("what builds the documentation", () => {
  it("sees no credential of the deployment", () => {
    const kept = { PATH: "/bin", HOME: "/home/x", NODE_OPTIONS: "", npm_config_registry: "https://registry.example" };
    const taken = {
      CLOUDFLARE_API_TOKEN: "t",
      CLOUDFLARE_ACCOUNT_ID: "a",
      CF_API_KEY: "k",
      OPS_TOKEN: "o",
      PROCESSOR_KEY_LIVE: "p",
      AWS_SECRET_ACCESS_KEY: "s",
      GITHUB_TOKEN: "g",
      NPM_TOKEN: "n",
      DB_PASSWORD: "d",
      SECRET_ENCRYPTION_KEYS: "e",
      "npm_config_//registry.example/:_authToken": "r",
      BANK_TERMINALS: "b",
    };
    expect(withoutCredentials({ ...kept, ...taken })).toEqual(kept);
  });
});
