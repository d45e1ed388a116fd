import * as z from "zod";
import type { Environment } from "../../core/environment.ts";
import { UTC } from "../../core/time-zone.ts";
import type { CellDeps, PartnerDeps } from "../../deps.ts";
import { inEach } from "../../partners/both-environments.ts";
import {
  type Dated,
  type NewestPage,
  ofAllCells,
  pageOfAll,
  type ReadAll,
  reachableCells,
  summedIn,
  withinReach,
} from "../../partners/list-of-all.ts";
import type { Cells } from "../../partners/location-store.ts";
import { listEnvironment } from "../calls/lists.ts";
import { type AskedPeriod, periodOf, periodQuery } from "../calls/moments.ts";
import { pageKeyIn, pageQuery } from "../calls/paging.ts";
import { notFound } from "../calls/refusal.ts";
import type { Asker } from "./define.ts";
import { requireLocation } from "./partner-lookup.ts";

/** The query of a list of rows that each have an environment and a time. */
export const rowQuery = z.object({ environment: listEnvironment, ...periodQuery, ...pageQuery });

/** What operators may ask besides: whose rows. */
export const byPartner = { partner: z.string().optional().describe("Only this partner's; left out: those of all") };

/** The field of a row that only operators see: its owner. */
export const ownerField = { partner_id: z.string() };

/** What the query of a list asks for, besides what it searches by. */
export interface Asked extends AskedPeriod {
  readonly partner?: string | undefined;
  readonly environment?: Environment | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Reads a list in some cells. */
type Read<Of extends Dated> = Parameters<typeof pageOfAll<Of>>[2];

/**
 * The page of a list that the asker may see, newest first: a partner's own rows; for an operator those of one partner, or of all.
 * Without an environment, both are merged. `read` reads the list in some cells. `which`: `current` for a table whose rows all move
 * (`db/moved-rows.ts`): an earlier cell has them as they were, for some minutes.
 * @throws CallRefusal 404 for an unknown partner; ServiceFailure `invalid_input` for a wrong cursor.
 */
export async function pageFor<Of extends Dated>(asker: Asker, asked: Asked, read: Read<Of>, which: Cells = "all"): Promise<NewestPage<Of>> {
  const { partner: partnerId, limit } = asked;
  const list = { limit, before: pageKeyIn(asked.cursor), period: periodOf(asked, await zoneOf(asker, partnerId)) };
  if (asker.partner === null && partnerId === undefined)
    return inEach(asked, (environment) => pageOfAll(asker.deps, { ...list, environment }, read, which));
  const owner = asker.partner?.caller.partnerId ?? partnerId ?? "";
  const { cells } = (await ownDeps(asker, owner)).data;
  const data = reachableCells(asker.deps, which === "current" ? cells.slice(0, 1) : cells);
  return inEach(asked, (environment) => read(data, { ...list, environment, partnerId: owner }));
}

/** Whether the asker sees what was paid. */
export const seesMoney = ({ partner }: Asker): boolean => partner === null || partner.caller.permissions.has("balance_view");

/** The time zone of the days that an asker means: the partner's own, or that of the partner whom an operator names. */
export async function zoneOf({ deps, partner }: Asker, partnerId: string | undefined): Promise<string> {
  if (partner !== null) return partner.caller.timeZone;
  return (partnerId === undefined ? null : await deps.locationOf(partnerId, { fresh: true }))?.timeZone ?? UTC;
}

/** The dependencies with a partner's data: the asking one's own, or those of the partner that an operator names. @throws CallRefusal 404 */
export async function ownDeps({ deps, partner }: Asker, partnerId: string): Promise<PartnerDeps> {
  return partner === null ? deps.ofPartner(await requireLocation(deps, partnerId)) : partner.own;
}

/**
 * Reads in the cells that have the asker's rows: a partner's own, those of the partner whom an operator names, or of all. One answer
 * for each group of cells with the same owners.
 */
export async function allRows<Answer>(
  asker: Asker,
  partnerId: string | undefined,
  read: ReadAll<Answer>,
  which: Cells = "all",
): Promise<Answer[]> {
  const id = asker.partner?.caller.partnerId ?? partnerId;
  return id === undefined ? ofAllCells(asker.deps, read, which) : [await read(await readableData(asker, id, which), id)];
}

/** The data of a partner in all its cells, or in its current one, as the asker reads it: for operators, what is within reach. @throws CallRefusal 404 */
export async function readableData(asker: Asker, partnerId: string, which: Cells = "all") {
  const { data } = await ownDeps(asker, partnerId);
  if (which === "current") return summedIn(reachableCells(asker.deps, data.cells.slice(0, 1)));
  return asker.partner === null ? withinReach(asker.deps, data) : data;
}

/** The refusals of an object that does not exist, or is another partner's. */
export interface Missing {
  readonly partner: string;
  readonly operator: string;
}

/** @throws CallRefusal 404 in the words for the asker. */
export const missing = (asker: Asker, words: Missing): never => notFound(asker.partner === null ? words.operator : words.partner);

/** The row, if the asker may see it. @throws CallRefusal 404 for another partner's, as for an unknown one. */
export const seenBy = <Known extends { readonly partnerId: string }>(asker: Asker, row: Known | undefined, words: Missing): Known =>
  row !== undefined && (asker.partner === null || row.partnerId === asker.partner.caller.partnerId) ? row : missing(asker, words);

/** A row of a partner, by its id: what a cell answers about it. */
type Find<Found> = (cell: CellDeps) => Promise<Found | undefined>;

/**
 * The row with its cell, if the asker may see it. A partner's is looked for in the partner's own cells alone, which are all that can
 * have it; an operator's wherever `anywhere` looks. @throws CallRefusal 404
 */
export async function requireRow<Found extends { readonly partnerId: string }>(
  asker: Asker,
  find: Find<Found>,
  anywhere: (find: Find<Found>) => Promise<{ readonly cell: CellDeps; readonly found: Found } | null>,
  words: Missing,
): Promise<{ readonly cell: CellDeps; readonly found: Found }> {
  const { partner, deps } = asker;
  // An unreachable cell hides no row of another. What it may have is not said to be missing: see `define-call.ts`.
  const inReach: Find<Found> = async (cell) => (await deps.askDatabase(cell.databaseName, () => find(cell))) ?? undefined;
  if (partner === null) return (await anywhere(inReach)) ?? missing(asker, words);
  const answers = await partner.own.data.each(async (cell) => ({ cell, found: await find(cell) }));
  for (const { cell, found } of answers) if (found?.partnerId === partner.caller.partnerId) return { cell, found };
  return missing(asker, words);
}

/** The summary of an object. */
export const summaryField = z
  .object({ en: z.string(), ru: z.string() })
  .describe("What became of it in a sentence or two, as support sends it on, in English and in Russian");

/** The answer to the customer of an order. */
export const customerField = z
  .object({ en: z.string(), ru: z.string() })
  .nullable()
  .describe("The same for the customer who asks, without what concerns the partner; null where it is no customer's");
