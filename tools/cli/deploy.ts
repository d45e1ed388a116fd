import { type Region, regions } from "../../src/core/regions.ts";
import { runTool, UserFault } from "../local/processes.ts";
import { type Given, readArguments, wholeNumber } from "./arguments.ts";
import { accounts, askForAccount, isPaid } from "./deploy/account.ts";
import { refuseGradualCells, refuseLostCells } from "./deploy/cells.ts";
import { check, checkLinks } from "./deploy/check.ts";
import { configOf, linksConfigOf, readTemplate, varsOf, writeConfigs } from "./deploy/config.ts";
import { destroy } from "./deploy/destroy.ts";
import { makeEventDestinations } from "./deploy/event-destinations.ts";
import { refuseTakenHosts } from "./deploy/hosts.ts";
import { keepPublished } from "./deploy/packages.ts";
import { planOf } from "./deploy/plan.ts";
import { requirePrerequisites } from "./deploy/prerequisites.ts";
import {
  checkSettings,
  explain,
  forgetTyped,
  keepTyped,
  makeSecrets,
  OPTIONAL_SECRETS,
  readSecretsFile,
  refuseLostKeys,
  renewKept,
  type Secrets,
  sellsRubles,
  typedSecrets,
} from "./deploy/private-settings.ts";
import { migrateAll, publish, secretsAtPlatform } from "./deploy/publish.ts";
import { checkRecord, type DeploymentRecord, hostsOf, linksWorkerOf, pathOf, readRecord, workerAt, writeRecord } from "./deploy/record.ts";
import { NO_DASHBOARD, recordWith } from "./deploy/record-with.ts";
import { remaining } from "./deploy/remaining.ts";
import { makeResources, resourcesOf } from "./deploy/resources.ts";
import { begin, inSteps, tell } from "./deploy/steps.ts";
import { dangersOfMigrations } from "./migration.ts";
import { askPerson, isInteractive, type Question, refuseMissing } from "./prompt.ts";

const HELP = `Deploys the service to your Cloudflare account: makes what is missing, migrates, deploys and checks. A run that did not
end is run again; nothing is made twice. What it asks for is kept in deployments/<name>.json, which has no secret.

Exit codes: 0 done; 1 something is missing or failed, as it says; 2 wrong arguments.`;

const COMMAND_LINE = {
  name: "deploy",
  help: HELP,
  options: {
    name: { requiresArg: true, type: "string", default: "partner-payments", describe: "The deployment; another name makes a separate one" },
    "api-host": { requiresArg: true, type: "string", describe: "The host of the API, a subdomain of a zone in the account" },
    "short-link-host": { requiresArg: true, type: "string", describe: "The host of the short links" },
    "dashboard-host": {
      requiresArg: true,
      type: "string",
      describe: "The host of the dashboard and the console, or none for a service without them",
    },
    region: { requiresArg: true, choices: regions, describe: "Where the databases are made" },
    cells: wholeNumber("cells", { describe: "How many databases the partners' data is spread over; never fewer than there are", min: 1 }),
    "cell-region": { requiresArg: true, choices: regions, describe: "Where further cells are made; with the others unless said" },
    account: { requiresArg: true, type: "string", describe: "The account's id, if the login has several" },
    secrets: { requiresArg: true, type: "string", describe: "A file with secrets, as JSON or as lines of NAME=value" },
    "event-destinations": { type: "boolean", describe: "Make the processor's event destinations, or do not; asked unless said" },
    gradual: { requiresArg: true, type: "number", describe: "The per cent of requests that the new version serves at first" },
    "replace-hosts": { type: "boolean", default: false, describe: "Take hosts that lead somewhere else" },
    "check-url": { requiresArg: true, type: "string", describe: "Where the deployment is checked; the API's host unless said" },
    "check-short-link-url": { requiresArg: true, type: "string", describe: "Where the short links are looked at; their host unless said" },
    "check-dashboard-url": { requiresArg: true, type: "string", describe: "Where its dashboard is looked at; its host unless said" },
    plan: { type: "boolean", default: false, describe: "Show what would change in the account, and what was changed there by hand" },
    destroy: { requiresArg: true, type: "string", describe: "Take a deployment down that sold nothing in live: its name once more" },
    "check-seconds": {
      ...wholeNumber("check-seconds", {
        describe: "How long a host may take to answer: a new one waits for its DNS name and certificate",
        min: 0,
      }),
      default: "120",
    },
    "dry-run": { type: "boolean", default: false, describe: "Show what would be done, without an account" },
  },
} as const;

type Options = Given<(typeof COMMAND_LINE)["options"]>;

/** `npm run deploy`: creates a deployment, or updates it. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { options } = read;
  try {
    if (options.gradual !== undefined && !(options.gradual > 0 && options.gradual < 100)) {
      throw new UserFault("--gradual must be more than 0 and less than 100 per cent.");
    }
    const before = readRecord(options.name);
    const record = checkRecord(recordWith(before, options));
    if (options.dryRun) return await showPlan(record);
    if (options.plan) return await showChanges(record);
    if (options.destroy !== undefined) return await takeDown(record, options.destroy);
    refuseDangers();
    // Faults of the file are reported before any request to the platform.
    const given =
      options.secrets === undefined ? {} : readSecretsFile(options.secrets, [...readTemplate().secrets.required, ...OPTIONAL_SECRETS]);
    checkSettings(varsOf(withExampleHosts(record)), given);
    return await inSteps(() => deploy(record, before, given, options));
  } catch (thrown) {
    if (!(thrown instanceof UserFault)) throw thrown;
    console.error(`\n${thrown.message}`);
    return 1;
  }
}

/** A deployment migrates before it deploys, while the former build serves. @throws UserFault */
function refuseDangers(): void {
  const dangers = dangersOfMigrations();
  if (dangers.length === 0) return;
  throw new UserFault(
    `The build that runs could not work with these migrations. Nothing was changed.\n- ${dangers.join("\n- ")}\nAdd what is new first, and take away what is old a release later (docs/development.md, migrations).`,
  );
}

/** Of a deployment that was made before. @throws UserFault */
async function requireKnown(record: DeploymentRecord): Promise<DeploymentRecord> {
  const all = await accounts();
  const account = record.account_id ?? (all.length === 1 ? (all[0]?.id ?? null) : null);
  if (account === null || record.api_host === null || record.short_link_host === null || record.region === null)
    throw new UserFault(`${pathOf(record.name, "json")} does not say account, hosts and region yet: deploy first, or look with --dry-run.`);
  if (!all.some(({ id }) => id === account)) throw new UserFault(`The login may not use the account ${account}.`);
  return { ...record, account_id: account };
}

async function showChanges(record: DeploymentRecord): Promise<number> {
  const { changes, hand } = await planOf(await requireKnown(record));
  console.log(`A deployment of this checkout as ${record.name}:`);
  for (const line of [...changes, ...dangersOfMigrations().map((danger) => `is refused: ${danger}`)]) console.log(`- ${line}`);
  console.log(
    hand.length === 0 ? "\nNothing was changed there by hand." : "\nWhat is there and differs from the record and this checkout:",
  );
  for (const line of hand) console.log(`- ${line}`);
  console.log("\nNothing was changed.");
  return 0;
}

async function takeDown(record: DeploymentRecord, typed: string): Promise<number> {
  if (typed !== record.name) throw new UserFault(`To take it down, type its name: --destroy ${record.name}. Nothing was changed.`);
  await destroy(await requireKnown(record), (line) => console.log(line));
  console.log(
    `\nIt is down. ${pathOf(record.name, "json")} keeps its hosts, for another deployment. Delete the processor's event destinations of https://${record.api_host} in its dashboard.`,
  );
  return 0;
}

async function deploy(wanted: DeploymentRecord, before: DeploymentRecord, given: Secrets, options: Options): Promise<number> {
  begin("Who is logged in");
  const all = await accounts();
  let record = await complete(wanted, all, options);
  checkSettings(varsOf(record), given);
  if (!options.replaceHosts) await refuseTakenHosts(record, before);
  if (!all.some(({ id }) => id === record.account_id)) throw new UserFault(`The login may not use the account ${record.account_id}.`);
  const paid = await isPaid(record.account_id ?? "");
  if (paid === false)
    throw new UserFault("The account is on the free plan. The service needs Workers Paid: https://dash.cloudflare.com, Workers plans.");
  tell(paid === null ? "the plan cannot be seen with this login: it must be Workers Paid" : "the account is on the paid plan");
  await refuseLostCells(record);
  refuseGradualCells(record, options.gradual);

  // A run that does not end is not asked everything again.
  writeRecord(record);
  begin("What the account must have");
  await requirePrerequisites(record, tell);

  begin("Settings and secrets");
  const { secrets, isNew } = await gatherSecrets(record, given, options.eventDestinations);
  if (isNew && options.gradual !== undefined) {
    throw new UserFault("There is no version yet to share the requests with: deploy without --gradual first.");
  }

  begin("What the service keeps its data in");
  record = await makeResources(record, tell);
  const workers = writeConfigs(record);
  tell(`wrangler's configurations are ${workers.api.config} and ${workers.links.config}`);

  begin("What partners have installed");
  const packages = await keepPublished(record, options.checkUrl ?? `https://${record.api_host}`, isNew);

  begin("Migrations");
  await migrateAll(record, workers.api.config, tell);

  // It reads what the other writes, so it is deployed first. Where it does not serve, the other is left as it is.
  begin("The Worker of the short links");
  const share = options.gradual ?? null;
  const said = share === null ? "deployed" : `deployed for ${share} per cent of requests`;
  const linksVersion = await publish({ record, worker: workers.links, secrets: {}, packages, share });
  tell(said);
  const shortLinks = options.checkShortLinkUrl ?? `https://${record.short_link_host}`;
  await checkLinks(shortLinks, { worker: workers.links, version: linksVersion, isNew, seconds: options.checkSeconds }, tell);

  begin("The Worker");
  const version = await publish({ record, worker: workers.api, secrets, packages, share });
  tell(said);
  forgetTyped(record.name);
  if (options.gradual !== undefined) {
    tell("for all of them: the same command without --gradual. To go back: docs/bad-days.md, a build that is worse");
  }

  begin("Check");
  const isWell = await check(
    {
      api: options.checkUrl ?? `https://${record.api_host}`,
      dashboard: dashboardOf(record) === null ? null : (options.checkDashboardUrl ?? dashboardOf(record)),
    },
    record,
    {
      givenToken: given.OPS_TOKEN,
      deployedToken: secrets.OPS_TOKEN,
      version,
      isShared: options.gradual !== undefined,
      seconds: options.checkSeconds,
    },
    tell,
  );
  remaining(record, { isNew, sellsRubles: sellsRubles(secrets.BANK_TERMINALS) });
  return isWell ? 0 : 1;
}

/** The record with all required values; missing ones are asked for. */
async function complete(record: DeploymentRecord, all: Awaited<ReturnType<typeof accounts>>, options: Options): Promise<DeploymentRecord> {
  const [only, ...others] = all;
  // While nothing is made, what was said before may be wrong: it is asked for again, and Enter keeps it.
  const isOpen = isInteractive && Object.keys(record.resources).length === 0;
  const question = (known: string | null, given: string | undefined, asked: Omit<Question, "isSecret">): Question | null => {
    if (known === null) return { ...asked, isSecret: false };
    return isOpen && given === undefined ? { ...asked, isSecret: false, usual: known } : null;
  };
  const questions = {
    account_id: accountQuestion(record, only === undefined || others.length > 0, isOpen && options.account === undefined, all),
    api_host: question(record.api_host, options.apiHost, {
      name: "--api-host",
      what: "the host that partners call, such as api.example.com, in a zone of this account",
    }),
    short_link_host: question(record.short_link_host, options.shortLinkHost, {
      name: "--short-link-host",
      what: "the host of the short links, such as pay.example.com",
    }),
    region: question(record.region, options.region, {
      name: "--region",
      what: `where the databases are made, near most of your partners: ${regions.join(", ")}`,
      choices: regions.map((value) => ({ value, label: `${value}: ${REGION_NAMES[value]}` })),
    }),
  };
  const answers: Record<string, string> = {};
  const missing = Object.entries(questions).filter((entry): entry is [string, Question] => entry[1] !== null);
  if (missing.length > 0 && !isInteractive) refuseMissing(missing.map(([, asked]) => asked));
  for (const [field, asked] of missing) answers[field] = await askPerson(asked);
  const whole = { ...record, account_id: record.account_id ?? only?.id ?? null, ...answers };
  // Without a terminal to ask at, the deployment has no dashboard. The last step says so.
  const isDecided = whole.dashboard_host !== undefined && !(isOpen && options.dashboardHost === undefined);
  if (isDecided || !isInteractive) return checkRecord(whole);
  const [, ...zone] = (whole.api_host ?? "").split(".");
  // A host of two names is its zone's.
  const own = `dashboard.${zone.length > 1 ? zone.join(".") : (whole.api_host ?? "")}`;
  const usual = whole.dashboard_host === undefined ? own : (whole.dashboard_host ?? NO_DASHBOARD);
  const what = `the host where partners' people and operators sign in, or ${NO_DASHBOARD}`;
  const host = await askPerson({ name: "--dashboard-host", what, isSecret: false, usual });
  return checkRecord({ ...whole, dashboard_host: host === NO_DASHBOARD ? null : host });
}

/** Which of several accounts; asked again while nothing is made. */
function accountQuestion(
  { account_id: known }: DeploymentRecord,
  areSeveral: boolean,
  isOpen: boolean,
  all: Awaited<ReturnType<typeof accounts>>,
): Question | null {
  if (!areSeveral) return null;
  if (known === null) return askForAccount(all);
  return isOpen ? { ...askForAccount(all), usual: known } : null;
}

const REGION_NAMES: Readonly<Record<Region, string>> = {
  weur: "Western Europe",
  eeur: "Eastern Europe",
  apac: "Asia",
  oc: "Oceania",
  wnam: "Western North America",
  enam: "Eastern North America",
};

/** The secrets that are missing at the platform, or that are given, validated as the Worker validates them. */
async function gatherSecrets(
  record: DeploymentRecord,
  said: Secrets,
  makesDestinations: boolean | undefined,
): Promise<{ secrets: Secrets; isNew: boolean }> {
  const known = await secretsAtPlatform(record);
  const typed = Object.entries(typedSecrets(record.name)).filter(([name]) => !known.includes(name) && said[name] === undefined);
  if (typed.length > 0) tell(`typed before, and still kept: ${typed.map(([name]) => name).join(", ")}. --secrets gives another value`);
  const given = { ...Object.fromEntries(typed), ...said };
  const { required } = readTemplate().secrets;
  const missing = required.filter((name) => !known.includes(name) && given[name] === undefined);
  const made = makeSecrets(record.name, missing, Object.keys(record.resources).length > 0);
  const unmade = missing.filter((name) => made[name] === undefined);
  const questionOf = (name: string) => ({ name, what: explain(name, `https://${record.api_host}`), isSecret: true });
  const answers: Record<string, string> = {};
  // The processor's keys come first: with them, its event destinations can be created, which have their own secrets.
  const first = unmade.filter((name) => name.startsWith("PROCESSOR_KEY"));
  if (isInteractive) for (const name of first) answers[name] = await askSecret(record, questionOf(name));
  const wanted = { missing: unmade, known: { ...given, ...answers } };
  const destinations = await makeEventDestinations(record, wanted, makesDestinations, tell);
  Object.assign(answers, destinations);
  const questions = unmade.filter((name) => answers[name] === undefined).map(questionOf);
  if (questions.length > 0 && !isInteractive) refuseMissing(questions.map((one) => ({ ...one, name: `--secrets with ${one.name}` })));
  for (const one of questions) answers[one.name] = await askSecret(record, one);
  const secrets = { ...made, ...given, ...answers };
  checkSettings(varsOf(record), secrets);
  refuseLostKeys(known, given, record);
  renewKept(record.name, given);
  for (const name of Object.keys(secrets)) tell(`${name} will be set`);
  const kept = Object.keys({ ...made, ...destinations });
  if (kept.length > 0) tell(`made here and kept in ${pathOf(record.name, "secrets.json")}: ${kept.join(", ")}`);
  if (makesDestinations === true && Object.keys(destinations).length === 0) {
    tell("no event destination is made: the Worker has their secrets already, or they were given");
  }
  return { secrets, isNew: known.length === 0 };
}

/** A secret that a person types. One that the Worker would refuse is asked for again; another is kept until the platform has it. */
async function askSecret(record: DeploymentRecord, asked: Question): Promise<string> {
  for (;;) {
    const value = await askPerson(asked);
    try {
      keepTyped(record.name, varsOf(record), { [asked.name]: value });
      return value;
    } catch (thrown) {
      if (!(thrown instanceof UserFault)) throw thrown;
      console.error(thrown.message);
    }
  }
}

const dashboardOf = ({ dashboard_host: host }: DeploymentRecord) => (typeof host === "string" ? `https://${host}` : null);

/** Placeholders for the required hosts that are not known yet. */
const withExampleHosts = (record: DeploymentRecord): DeploymentRecord => ({
  ...record,
  api_host: record.api_host ?? "api.example.com",
  short_link_host: record.short_link_host ?? "pay.example.com",
});

/** Shows what would be created and deployed. The bundle is built as for a deployment. */
async function showPlan(record: DeploymentRecord): Promise<number> {
  const shown = withExampleHosts(record);
  console.log(`A deployment named ${record.name} would have:`);
  for (const { kind, name, region } of resourcesOf(record))
    console.log(`- ${kind} ${name}${kind === "D1 database" ? ` in ${region ?? "the region that you choose"}` : ""}`);
  for (const worker of [linksWorkerOf(shown), record.name]) {
    const hosts = hostsOf(shown).filter((host) => workerAt(shown, host) === worker);
    console.log(`- the Worker ${worker} at ${hosts.map((host) => `https://${host}`).join(", ")}`);
  }
  if (dashboardOf(shown) === null) console.log("- no dashboard and no console: --dashboard-host gives them a host");
  console.log("and these secrets:");
  for (const name of readTemplate().secrets.required) console.log(`- ${name}: ${explain(name, `https://${shown.api_host}`)}`);
  console.log("\nwrangler's configuration:");
  console.log(JSON.stringify(configOf(shown), null, 2));
  console.log("\nand that of the Worker of the short links:");
  console.log(JSON.stringify(linksConfigOf(shown), null, 2));
  console.log("\nThe bundles are built …");
  const links = await runTool("wrangler", ["deploy", "--config", "wrangler.links.toml", "--dry-run", "--outdir", "dist"], { quiet: true });
  const code = links === 0 ? await runTool("wrangler", ["deploy", "--dry-run", "--outdir", "dist"], { quiet: true }) : links;
  if (code === 0) console.log("It can be deployed. Nothing was made. Then: npm run deploy -- --secrets <file>");
  return code;
}
