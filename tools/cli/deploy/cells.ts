import * as z from "zod";
import type { Region } from "../../../src/core/regions.ts";
import { UserFault } from "../../local/processes.ts";
import { askApiStatus } from "./account.ts";
import { type DeploymentRecord, pathOf } from "./record.ts";

/**
 * A comparison asks each cell about each page of the processor's lists, and an invocation may make 10,000 calls:
 * docs/scale.md.
 */
const MAX_CELLS = 40;

/** The command line's options for cells. */
interface CellOptions {
  readonly cells: number | undefined;
  readonly region: Region | undefined;
  readonly cellRegion: Region | undefined;
}

/** The existing further cells, plus the requested ones. @throws UserFault */
export function cellsOf(record: DeploymentRecord, { cells, region, cellRegion }: CellOptions): DeploymentRecord["further_cells"] {
  const { further_cells, resources } = record;
  if (cells === undefined) {
    if (cellRegion !== undefined) throw new UserFault("--cell-region says where the cells are made that --cells adds: give both.");
    return further_cells;
  }
  const made = further_cells.filter((_, index) => resources[`CELL_${index + 2}`] !== undefined);
  const there = 1 + made.length;
  if (!Number.isInteger(cells) || cells < there || cells > MAX_CELLS) {
    const range = `--cells must be a whole number from ${there}, as many as there are, to ${MAX_CELLS}.`;
    throw new UserFault(`${range} A cell is never taken away: it has data.`);
  }
  if (cells === there) return made;
  const place = cellRegion ?? region ?? record.region;
  if (place === null) throw new UserFault("Say where the further cells are made: --cell-region, or --region for all.");
  return [...made, ...Array.from({ length: cells - there }, () => place)];
}

const settingsSchema = z.object({ result: z.object({ bindings: z.array(z.looseObject({ name: z.string() })) }) });

/**
 * The Worker that is deployed may know cells that the record does not: a colleague added them, and the record did not come here. Their
 * partners would be unknown to the next version. @throws UserFault
 */
export async function refuseLostCells({ account_id, name, further_cells }: DeploymentRecord): Promise<void> {
  const answer = await askApiStatus(`/accounts/${account_id}/workers/scripts/${name}/settings`);
  const bound = settingsSchema.safeParse(answer.body).data?.result.bindings.map((binding) => binding.name) ?? [];
  const known = new Set(further_cells.map((_, index) => `CELL_${index + 2}`));
  const lost = bound.filter((binding) => /^CELL_([2-9]|\d{2,})$/.test(binding) && !known.has(binding));
  if (lost.length === 0) return;
  throw new UserFault(
    `The Worker ${name} has the databases ${lost.join(", ")}, and ${pathOf(name, "json")} does not know them. They have partners, so nothing was changed. Get the file of the last deployment, or give --cells ${1 + known.size + lost.length}.`,
  );
}

/**
 * A version that serves only a part of the requests must not add a cell: the other version would not know its partners.
 * @throws UserFault
 */
export function refuseGradualCells({ further_cells, resources }: DeploymentRecord, gradual: number | undefined): void {
  const isNew = further_cells.some((_, index) => resources[`CELL_${index + 2}`] === undefined);
  if (gradual !== undefined && isNew)
    throw new UserFault("Further cells are for all requests at once: deploy them without --gradual first.");
}
