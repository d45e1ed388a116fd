import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { parseEnv } from "node:util";
import * as z from "zod";
import { sentEventTypes } from "../../../src/ledger/sources.ts";
import { API_VERSION } from "../../../src/processor/version.ts";
import { readSettings, settingNames } from "../../../src/settings.ts";
import { UserFault } from "../../local/processes.ts";
import { jsonOf, pathOf, writeWhole } from "./record.ts";

/** The secrets that a deployment may have besides those of wrangler.toml. They never stand under `vars`, which anybody may read. */
export const OPTIONAL_SECRETS: readonly string[] = ["DELIVERY_RELAY", "ANALYTICS_TOKEN"];

const secretsSchema = z.record(z.string(), z.string());
export type Secrets = Readonly<Record<string, string>>;

/** The purpose of each secret, and where to find it. */
export function explain(name: string, apiOrigin: string): string {
  const environment = name.endsWith("LIVE") ? "live" : "test";
  switch (name) {
    case "PROCESSOR_KEY_LIVE":
    case "PROCESSOR_KEY_TEST":
      return `the processor's API key of its ${environment} environment, from its dashboard, Developers, API keys (docs/deploy.md has its permissions)`;
    case "PROCESSOR_EVENT_SECRET_LIVE":
    case "PROCESSOR_EVENT_SECRET_TEST":
      return `the signing secret of the processor's event destination ${apiOrigin}/ingest/processor/${environment}: create it in its dashboard, Developers, Webhooks, with API version ${API_VERSION}, payload style snapshot and the events ${sentEventTypes.join(", ")}`;
    case "BANK_TERMINALS":
      return 'the ruble bank\'s terminals as JSON (docs/deploy.md); {"live":{},"test":{}} if you sell nothing in rubles';
    default:
      return "made here, and kept in a file for you";
  }
}

const KEYS = "SECRET_ENCRYPTION_KEYS";

/** Secrets that only the service needs; they are generated here. */
const MADE: Readonly<Record<string, () => string>> = {
  OPS_TOKEN: () => randomBytes(24).toString("hex"),
  [KEYS]: () => JSON.stringify({ current: "k1", keys: { k1: randomBytes(32).toString("base64") } }),
};

/**
 * The generated secrets, among the missing ones or from an unfinished run. They are kept in a file that only its owner
 * may read, before anything is sent: the platform never shows a secret again, and without the encryption keys no backup
 * is usable. `hasData`: databases exist already, from a run that may have encrypted data.
 * @throws UserFault if the keys of such data are missing
 */
export function makeSecrets(name: string, missing: readonly string[], hasData: boolean): Secrets {
  const path = pathOf(name, "secrets.json");
  const kept = existsSync(path) ? secretsSchema.parse(jsonOf(path)) : {};
  if (hasData && missing.includes(KEYS) && kept[KEYS] === undefined) {
    throw new UserFault(
      `The databases of this deployment are there, and the Worker's ${KEYS} is not: without it, what they have encrypted cannot be read. Give it by --secrets, from your store of secrets.`,
    );
  }
  const made = Object.fromEntries(
    missing.flatMap((secret) => {
      const value = kept[secret] ?? MADE[secret]?.();
      return value === undefined ? [] : [[secret, value]];
    }),
  );
  keepSecrets(name, made);
  return made;
}

/**
 * Keeps a secret that a person has typed, in a file that only its owner may read, so that a run that does not end does not ask for it
 * again. @throws UserFault for one that the Worker would refuse; nothing is kept
 */
export function keepTyped(name: string, vars: Readonly<Record<string, string>>, typed: Secrets): void {
  checkSettings(vars, typed);
  writeWhole(pathOf(name, "typed.json"), `${JSON.stringify({ ...typedSecrets(name), ...typed }, null, 2)}\n`, 0o600);
}

/** What a person typed in a run that did not end. */
export function typedSecrets(name: string): Secrets {
  const path = pathOf(name, "typed.json");
  return existsSync(path) ? secretsSchema.parse(jsonOf(path)) : {};
}

/** The platform has what was typed: it is not kept here any more. */
export const forgetTyped = (name: string): void => rmSync(pathOf(name, "typed.json"), { force: true });

/** Adds secrets to the file that only its owner may read. */
export function keepSecrets(name: string, secrets: Secrets): void {
  if (Object.keys(secrets).length === 0) return;
  const path = pathOf(name, "secrets.json");
  const kept = existsSync(path) ? secretsSchema.parse(jsonOf(path)) : {};
  writeWhole(path, `${JSON.stringify({ ...kept, ...secrets }, null, 2)}\n`, 0o600);
}

/** The secrets in a file: JSON, or lines of NAME=value. Each must be in `allowed` and not empty. @throws UserFault */
export function readSecretsFile(path: string, allowed: readonly string[]): Secrets {
  if (!existsSync(path)) throw new UserFault(`${path} is not there.`);
  if (process.platform !== "win32" && (statSync(path).mode & 0o077) !== 0) {
    throw new UserFault(`${path} can be read by others. Run: chmod 600 ${path}`);
  }
  const text = readFileSync(path, "utf8");
  const found = secretsSchema.safeParse(text.trimStart().startsWith("{") ? jsonOf(path) : parseEnv(text));
  if (!found.success) throw new UserFault(`${path} must have one text for each secret.`);
  const strange = Object.keys(found.data).filter((name) => !allowed.includes(name));
  if (strange.length > 0) throw new UserFault(`There is no secret ${strange.join(", ")}. There are ${allowed.join(", ")}.`);
  // A line of .dev.vars.example without a value.
  return Object.fromEntries(Object.entries(found.data).filter(([, value]) => value !== ""));
}

const encryptionKeysSchema = z.object({ keys: z.record(z.string(), z.string()) });

/**
 * Refuses a single encryption key for a deployment that has others: data that was encrypted with the current key would
 * become unreadable. After `secrets re-encrypt` has answered `left: 0`, the old key may be removed:
 * `DROP_ENCRYPTION_KEYS=1` confirms it. @throws UserFault
 */
export function refuseLostKeys(known: readonly string[], given: Secrets, { name }: { readonly name: string }): void {
  const value = given[KEYS];
  if (value === undefined || !known.includes(KEYS) || process.env.DROP_ENCRYPTION_KEYS === "1") return;
  const { keys } = encryptionKeysSchema.parse(JSON.parse(value));
  if (Object.keys(keys).length > 1) return;
  throw new UserFault(
    `${KEYS} has one key, and the deployment ${name} uses one already: if it is another, all webhook secrets become unreadable. Give both keys, with the new one as current; once npm run ops -- secrets re-encrypt answers left: 0, set DROP_ENCRYPTION_KEYS=1 and give the new one alone.`,
  );
}

/** Updates the secrets file if it differs from the given secrets. */
export function renewKept(name: string, given: Secrets): void {
  const path = pathOf(name, "secrets.json");
  if (!existsSync(path)) return;
  const kept = secretsSchema.parse(jsonOf(path));
  keepSecrets(
    name,
    Object.fromEntries(Object.entries(given).filter(([secret, value]) => kept[secret] !== undefined && kept[secret] !== value)),
  );
}

/** Whether a terminal is set; true if unknown. */
export function sellsRubles(terminals: string | undefined): boolean {
  if (terminals === undefined) return true;
  const all = z.record(z.string(), z.record(z.string(), z.unknown())).safeParse(JSON.parse(terminals)).data ?? {};
  return Object.values(all).some((environment) => Object.keys(environment).length > 0);
}

/** Valid placeholders for secrets that the platform has and does not show. */
const STAND_INS: Secrets = {
  PROCESSOR_KEY_LIVE: "sk_live_x",
  PROCESSOR_KEY_TEST: "sk_test_x",
  PROCESSOR_EVENT_SECRET_LIVE: `whsec_${randomBytes(16).toString("hex")}`,
  PROCESSOR_EVENT_SECRET_TEST: `whsec_${randomBytes(16).toString("hex")}`,
  BANK_TERMINALS: '{"live":{},"test":{}}',
  OPS_TOKEN: randomBytes(24).toString("hex"),
  SECRET_ENCRYPTION_KEYS: JSON.stringify({ current: "x", keys: { x: randomBytes(32).toString("base64") } }),
};

/**
 * Validates settings and secrets as the Worker does at its start. @throws UserFault that names invalid ones, without
 * their values
 */
export function checkSettings(vars: Readonly<Record<string, string>>, secrets: Secrets): void {
  const strange = Object.keys(vars).filter((name) => !settingNames.includes(name));
  if (strange.length > 0)
    throw new UserFault(
      `There is no setting ${strange.join(", ")}: look at "vars" of the deployment's record. There are ${settingNames.join(", ")}.`,
    );
  const open = Object.keys(vars).filter((name) => OPTIONAL_SECRETS.includes(name));
  if (open.length > 0) throw new UserFault(`${open.join(", ")} is a secret: take it out of "vars", and give it by --secrets <file>.`);
  try {
    readSettings({ ...STAND_INS, ...vars, ...secrets });
  } catch (thrown) {
    throw new UserFault(thrown instanceof Error ? thrown.message : String(thrown));
  }
}
