import type { Region } from "../../../src/core/regions.ts";
import { UserFault } from "../../local/processes.ts";
import { cellsOf } from "./cells.ts";
import type { DeploymentRecord } from "./record.ts";

/** The value of --dashboard-host for a deployment without a dashboard. */
export const NO_DASHBOARD = "none";

/** What the command line says of a deployment; what is left out stays as it is. */
interface Options {
  readonly apiHost?: string | undefined;
  readonly shortLinkHost?: string | undefined;
  /** A host, or {@link NO_DASHBOARD}. */
  readonly dashboardHost?: string | undefined;
  readonly region?: Region | undefined;
  readonly account?: string | undefined;
  readonly cells?: number | undefined;
  readonly cellRegion?: Region | undefined;
}

/** A deployment's record with what the command line says. @throws UserFault for what contradicts what there is */
export function recordWith(record: DeploymentRecord, options: Options): DeploymentRecord {
  const { apiHost, shortLinkHost, dashboardHost, region, account, cells, cellRegion } = options;
  if (region !== undefined && record.region !== null && region !== record.region && Object.keys(record.resources).length > 0) {
    throw new UserFault(`The databases are in ${record.region}, and stay there. --cell-region says where further cells are made.`);
  }
  const set = dashboardOfVars(record, dashboardHost);
  return {
    ...record,
    ...set,
    ...(dashboardHost === undefined ? {} : { dashboard_host: dashboardHost === NO_DASHBOARD ? null : dashboardHost }),
    further_cells: cellsOf(record, { cells, region, cellRegion }),
    api_host: apiHost ?? record.api_host,
    short_link_host: shortLinkHost ?? record.short_link_host,
    region: region ?? record.region,
    account_id: account ?? record.account_id,
  };
}

/**
 * Before --dashboard-host there was the setting DASHBOARD_ORIGIN alone: its host becomes one that the deployment routes.
 * @throws UserFault for an address that is no host of its own
 */
function dashboardOfVars({ vars }: DeploymentRecord, option: string | undefined): Partial<DeploymentRecord> {
  const { DASHBOARD_ORIGIN: origin, ...rest } = vars;
  if (origin === undefined) return {};
  const host = /^https:\/\/([a-z0-9.-]+)\/?$/.exec(origin)?.[1];
  if (host === undefined && option === undefined)
    throw new UserFault(
      `DASHBOARD_ORIGIN under "vars" is not an address such as https://dashboard.example.com. Take it out, and give --dashboard-host.`,
    );
  return { vars: rest, ...(host === undefined ? {} : { dashboard_host: host }) };
}
