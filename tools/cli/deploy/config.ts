import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import * as z from "zod";
import { linkSettingNames } from "../../../src/short-links/link-settings.ts";
import { root } from "../../local/processes.ts";
import { type DeploymentRecord, hostsOf, linksWorkerOf, pathOf, workerAt, writeWhole } from "./record.ts";

/** The parts of wrangler.links.toml that differ between deployments. */
const linksTemplateSchema = z.looseObject({
  main: z.string(),
  d1_databases: z.array(z.looseObject({ binding: z.string(), database_name: z.string() })),
  kv_namespaces: z.array(z.looseObject({ binding: z.string() })),
  ratelimits: z.array(z.looseObject({ namespace_id: z.string() })),
  analytics_engine_datasets: z.array(z.looseObject({ dataset: z.string() })),
});

/** The parts of wrangler.toml that differ between deployments. */
const templateSchema = linksTemplateSchema.extend({
  vars: z.record(z.string(), z.string()),
  secrets: z.looseObject({ required: z.array(z.string()) }),
  assets: z.looseObject({ directory: z.string() }),
  d1_databases: z.array(z.looseObject({ binding: z.string(), database_name: z.string(), migrations_dir: z.string() })),
  r2_buckets: z.array(z.looseObject({ binding: z.string(), bucket_name: z.string() })),
  queues: z.looseObject({
    producers: z.array(z.looseObject({ queue: z.string() })),
    consumers: z.array(z.looseObject({ queue: z.string(), dead_letter_queue: z.string() })),
  }),
});

/**
 * Rate-limit counters of one account are separate only if their numbers differ. Each deployment has this many numbers.
 */
const COUNTERS = 100;
const DEPLOYMENTS = 1_000_000;

/** The configuration in wrangler.toml, the template of all deployments. */
export function readTemplate() {
  return templateSchema.parse(parse(readFileSync(join(root, "wrangler.toml"), "utf8")));
}

/** The configuration in wrangler.links.toml. */
function readLinksTemplate() {
  return linksTemplateSchema.parse(parse(readFileSync(join(root, "wrangler.links.toml"), "utf8")));
}

type Databases = z.infer<typeof templateSchema>["d1_databases"];

/** The cell in the template. Further ones differ only in their number. */
const FIRST_CELL = { binding: "CELL_1", name: /cell-1$/ };

/** The databases of a deployment: those of the template, and its further cells. */
function databasesOf({ d1_databases }: { readonly d1_databases: Databases }, { further_cells }: Cells): Databases {
  const first = d1_databases.find(({ binding }) => binding === FIRST_CELL.binding);
  if (first === undefined) throw new Error("wrangler.toml has no first cell");
  const further = further_cells.map((_, index) => ({
    ...first,
    binding: `CELL_${index + 2}`,
    database_name: first.database_name.replace(FIRST_CELL.name, `cell-${index + 2}`),
  }));
  return [...d1_databases, ...further];
}

type Cells = Pick<DeploymentRecord, "further_cells">;

/** The names of all resources of a deployment, by binding. */
export function namesOf({ name, region, further_cells }: Cells & Pick<DeploymentRecord, "name" | "region">) {
  const template = readTemplate();
  // The template's names are those of a deployment with the template's own name.
  const own = (text: string) => `${name}-${text.replace(/^partner-payments-/, "")}`;
  const regionOf = (binding: string) => further_cells[Number(/^CELL_(\d+)$/.exec(binding)?.[1] ?? 0) - 2] ?? region;
  return {
    databases: databasesOf(template, { further_cells }).map(({ binding, database_name }) => ({
      binding,
      name: own(database_name),
      region: regionOf(binding),
    })),
    namespaces: template.kv_namespaces.map(({ binding }) => ({ binding, name: own(binding.toLowerCase().replaceAll("_", "-")) })),
    buckets: template.r2_buckets.map(({ bucket_name }) => own(bucket_name)),
    queues: template.queues.consumers.flatMap(({ queue, dead_letter_queue }) => [own(queue), own(dead_letter_queue)]),
    own,
  };
}

/** The non-secret settings of a deployment. */
export function varsOf({
  name,
  account_id,
  api_host,
  short_link_host,
  dashboard_host,
  region,
  further_cells,
  vars,
}: DeploymentRecord): Record<string, string> {
  const hosts = {
    API_ORIGIN: `https://${api_host}`,
    SHORT_LINK_ORIGIN: `https://${short_link_host}`,
    ...(typeof dashboard_host === "string" ? { DASHBOARD_ORIGIN: `https://${dashboard_host}` } : {}),
  };
  const opens = {
    OPENS_DATASET: datasetOf({ name }, "partner_payments_opens"),
    ...(account_id === null ? {} : { ANALYTICS_ACCOUNT: account_id }),
  };
  const cells = further_cells.length === 0 || region === null ? {} : { CELL_REGIONS: [region, ...further_cells].join(",") };
  return { ...readTemplate().vars, ...hosts, ...opens, ...(region === null ? {} : { DATABASE_REGION: region }), ...cells, ...vars };
}

/** The name of a dataset of a deployment: the template's names are those of a deployment with the template's own name. */
const datasetOf = ({ name }: Pick<DeploymentRecord, "name">, dataset: string): string =>
  dataset.replace(/^partner_payments/, name.replaceAll("-", "_"));

/** What both Workers of a deployment have in common: the template with the deployment's names, ids and hosts. */
function commonOf(template: z.infer<typeof linksTemplateSchema>, record: DeploymentRecord, name: string) {
  const counters = countersOf(record.name);
  return {
    name,
    ...(record.account_id === null ? {} : { account_id: record.account_id }),
    // The path is relative to the deployments' folder; the build command runs in the working directory.
    main: `../${template.main}`,
    routes: hostsOf(record)
      .filter((host) => workerAt(record, host) === name)
      .map((pattern) => ({ pattern, custom_domain: true })),
    kv_namespaces: template.kv_namespaces.map((one) => ({ ...one, id: record.resources[one.binding] })),
    ratelimits: template.ratelimits.map((one) => ({ ...one, namespace_id: String(counters + Number(one.namespace_id)) })),
    analytics_engine_datasets: template.analytics_engine_datasets.map((one) => ({ ...one, dataset: datasetOf(record, one.dataset) })),
  };
}

const isOfLinks = (setting: string) => linkSettingNames.some((one) => one === setting);

/** The wrangler configuration of a deployment's Worker of the short links. It reads the same stores as the other. */
export function linksConfigOf(record: DeploymentRecord): Record<string, unknown> {
  const template = readLinksTemplate();
  return {
    ...template,
    ...commonOf(template, record, linksWorkerOf(record)),
    vars: Object.fromEntries(Object.entries(varsOf(record)).filter(([name]) => isOfLinks(name))),
    d1_databases: boundDatabases(record).map(({ migrations_dir: _dir, ...one }) => one),
  };
}

/** The wrangler configuration of a deployment's Worker of the API. */
export function configOf(record: DeploymentRecord): Record<string, unknown> {
  const template = readTemplate();
  const { own } = namesOf(record);
  return {
    ...template,
    ...commonOf(template, record, record.name),
    assets: { ...template.assets, directory: `../${template.assets.directory}` },
    vars: varsOf(record),
    d1_databases: boundDatabases(record),
    r2_buckets: template.r2_buckets.map((one) => ({ ...one, bucket_name: own(one.bucket_name) })),
    queues: {
      producers: template.queues.producers.map((one) => ({ ...one, queue: own(one.queue) })),
      consumers: template.queues.consumers.map((one) => ({
        ...one,
        queue: own(one.queue),
        dead_letter_queue: own(one.dead_letter_queue),
      })),
    },
  };
}

/** The databases of a deployment, as a configuration binds them. */
function boundDatabases(record: DeploymentRecord) {
  const { own } = namesOf(record);
  return databasesOf(readTemplate(), record).map((one) => ({
    ...one,
    database_name: own(one.database_name),
    database_id: record.resources[one.binding],
    migrations_dir: `../${one.migrations_dir}`,
  }));
}

/** The first counter number of a deployment, derived from its name: two of one account rarely collide. */
function countersOf(name: string): number {
  const digest = createHash("sha256").update(name).digest();
  return (digest.readUInt32BE() % DEPLOYMENTS) * COUNTERS;
}

/** The two Workers of a deployment: their names, and the paths of their configurations, for wrangler's `--config`. */
export interface Workers {
  readonly api: Worker;
  readonly links: Worker;
}

export interface Worker {
  readonly name: string;
  readonly config: string;
}

/** Writes the configurations of a deployment beside its record. */
export function writeConfigs(record: DeploymentRecord): Workers {
  const write = (kind: "wrangler.json" | "wrangler.links.json", config: object) => {
    const path = pathOf(record.name, kind);
    writeWhole(path, `${JSON.stringify(config, null, 2)}\n`, 0o644);
    return path;
  };
  return {
    api: { name: record.name, config: write("wrangler.json", configOf(record)) },
    links: { name: linksWorkerOf(record), config: write("wrangler.links.json", linksConfigOf(record)) },
  };
}
