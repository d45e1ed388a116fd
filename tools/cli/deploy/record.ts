import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { regions } from "../../../src/core/regions.ts";
import { root, UserFault } from "../../local/processes.ts";

/** A host name, without a port. */
const host = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "must be a host name such as api.example.com");

const recordSchema = z.strictObject({
  /** The Worker's name, and the prefix of all its resources' names. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, "must be lower case letters, digits and hyphens, and begin with a letter"),
  account_id: z.string().nullable(),
  api_host: host.nullable(),
  short_link_host: host.nullable(),
  /** The host of the dashboard and the console; null for a deployment without them; left out until that is decided. */
  dashboard_host: host.nullable().optional(),
  region: z.enum(regions).nullable(),
  /** The regions of the further cells. */
  further_cells: z.array(z.enum(regions)).default([]),
  /** The ids of D1 databases and KV namespaces, by binding. */
  resources: z.record(z.string(), z.string()),
  /** Further settings for [vars], which override the template's. */
  vars: z.record(z.string(), z.string()),
});

/** The stored description of a deployment, without secrets. The file belongs in the owner's repository. */
export type DeploymentRecord = z.infer<typeof recordSchema>;

/** The name of the Worker of the short links. That of the API has the deployment's own name. */
export const linksWorkerOf = ({ name }: Pick<DeploymentRecord, "name">): string => `${name}-links`;

/** The Worker that serves a host of a deployment. */
export const workerAt = (record: DeploymentRecord, hostname: string): string =>
  hostname === record.short_link_host ? linksWorkerOf(record) : record.name;

/** All hosts of a deployment, each once. */
export function hostsOf({ api_host, short_link_host, dashboard_host }: DeploymentRecord): string[] {
  return [...new Set([api_host, short_link_host, dashboard_host])].filter((one) => typeof one === "string");
}

/** The folder with a record for each deployment. */
const folderName = () => process.env.DEPLOYMENTS_DIR ?? "deployments";
const folder = () => join(root, folderName());

/** Where what a deployment's service has published is kept on this machine. */
export const publishedFolder = ({ name }: Pick<DeploymentRecord, "name">): string =>
  join(root, ".wrangler", "published", folderName(), name);

export function pathOf(name: string, kind: "json" | "wrangler.json" | "wrangler.links.json" | "secrets.json" | "typed.json"): string {
  return join(folder(), `${name}.${kind}`);
}

/** The record of a deployment; a new one if there is none. @throws UserFault if the file is not one */
export function readRecord(name: string): DeploymentRecord {
  const path = pathOf(name, "json");
  const nothing = {
    name,
    account_id: null,
    api_host: null,
    short_link_host: null,
    region: null,
    further_cells: [],
    resources: {},
    vars: {},
  };
  const found = recordSchema.safeParse(existsSync(path) ? jsonOf(path) : nothing);
  if (!found.success) throw new UserFault(`${path} is not a deployment's record: ${z.prettifyError(found.error)}`);
  return found.data;
}

/** @throws UserFault if a value is invalid */
export function checkRecord(record: DeploymentRecord): DeploymentRecord {
  const checked = recordSchema.safeParse(record);
  if (!checked.success) throw new UserFault(z.prettifyError(checked.error));
  return checked.data;
}

/** Writes the record atomically. @throws UserFault if a value is invalid */
export function writeRecord(record: DeploymentRecord): void {
  writeWhole(pathOf(record.name, "json"), `${JSON.stringify(checkRecord(record), null, 2)}\n`, 0o644);
}

/** Writes a file of the folder atomically. */
export function writeWhole(path: string, text: string, mode: number): void {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(`${path}.new`, text, { mode });
  renameSync(`${path}.new`, path);
}

/** @throws UserFault */
export function jsonOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch (thrown) {
    throw new UserFault(`${path} cannot be read as JSON: ${thrown instanceof Error ? thrown.message : "unknown"}`);
  }
}
