import { type CellCode, type DatabaseName, DIRECTORY, type IdCode } from "../core/cell-code.ts";
import type { Directory, NamedCell } from "../db/client.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { Reach } from "../db/reach.ts";
import { linesIn, ownerOfLink } from "../links/store.ts";
import type { PartnerLocation } from "../partners/read-location.ts";
import { partnerIdIn } from "../processor/attribution-metadata.ts";
import { ownerOfSubscription } from "../subscriptions/store.ts";
import {
  type CellRows,
  type Evidence,
  isIncomplete,
  type Latest,
  type LinkLines,
  latestOf,
  refreshesOf,
  rowsAtHome,
  rowsIn,
  type SubscriptionStart,
  startOf,
  together,
} from "./evidence.ts";
import { namedOwner } from "./owners.ts";

/**
 * The owner, and the cell with the owner's data. Without an owner: no evidence (yet), a partner that does not exist, or
 * contradictory evidence. Then the rows belong in the cell that already has the payment or subscription, or else in the
 * directory.
 */
export type Attribution =
  | {
      readonly partnerId: string;
      readonly databaseName: CellCode;
      readonly idCode: IdCode;
      /** Earlier cells of the partner that have the payment. */
      readonly held: readonly CellCode[];
      readonly why: null;
    }
  | { readonly partnerId: null; readonly databaseName: DatabaseName; readonly why: "unknown" | "no_such_partner" | "contradictory" };

/** The owner of an object, and the stored data about it. */
interface Attributed {
  readonly attribution: Attribution;
  readonly latest: Latest;
  readonly subscriptionStart: SubscriptionStart;
  /** What the link sells, as far as a cell has it. */
  readonly linkLines: LinkLines;
}

export interface AttributionDeps {
  readonly directory: Directory;
  readonly locationOf: (partnerId: string) => Promise<PartnerLocation | null>;
  readonly ofPartner: (location: PartnerLocation) => { readonly data: PartnerData<NamedCell> };
  readonly everyCell: () => readonly NamedCell[];
}

/**
 * Finds the owner of a payment or subscription. The evidence is the partner in its metadata, the owner of the link it
 * was paid through, the owner of the subscription it pays for, and the known owner of the payment. All evidence must
 * agree, because a payment shown to the wrong partner is worse than one that waits for an operator. Nothing is guessed.
 * If there is no evidence, or it contradicts itself, an owner named by an operator is used. An unreachable cell is
 * ignored if the others show the owner, so that it does not hold up their payments. Also returns when the latest stored
 * refresh saw the object. One D1 round trip to the cell of the partner in the metadata. If that cell does not have all
 * the evidence: one to the directory, and one to every other cell unless {@link isConfirmed} makes them unnecessary.
 * @throws if the cell of the partner in the metadata is unreachable, or a cell that alone may show the owner
 */
export async function attribute(deps: AttributionDeps, evidence: Evidence): Promise<Attributed> {
  const named = partnerIdIn(evidence.metadata);
  const location = named === null ? null : await deps.locationOf(named);
  const data = location === null ? null : deps.ofPartner(location).data;
  const own = data === null ? null : await rowsAtHome(data, evidence);
  const found: CellRows[] = own === null ? [] : [own];
  const asked = new Set(data?.cells.map(({ databaseName }) => databaseName));
  const others = deps.everyCell().filter(({ databaseName }) => !asked.has(databaseName));
  if (others.length > 0 && isIncomplete(evidence, found) && !(await isConfirmed(deps, named, evidence, found))) {
    found.push(...(await rowsInReach(others, evidence, found)));
  }
  const owners = new Set(found.flatMap((rows) => rows.owners));
  if (named !== null) owners.add(named);
  const [partnerId, ...contradicting] = owners;
  // A name in the metadata that no partner has contradicts all other evidence. It is not missing data.
  if (named !== null && location === null) return withoutOwner(deps, evidence, found, "no_such_partner");
  if (partnerId === undefined) return withoutOwner(deps, evidence, found, "unknown");
  if (contradicting.length > 0) return withoutOwner(deps, evidence, found, "contradictory");
  const owner = location ?? (await deps.locationOf(partnerId));
  if (owner === null) return withoutOwner(deps, evidence, found, "no_such_partner");
  const { latest, held } = own ?? together(deps.ofPartner(owner).data, found);
  return {
    linkLines: linesOf(found) ?? (await linesOfStart(deps, owner, evidence, found)),
    attribution: { partnerId, databaseName: owner.cell, idCode: owner.idCode, held, why: null },
    latest,
    subscriptionStart: startOf([...found, await startInDirectory(deps, evidence, found)]),
  };
}

/**
 * A subscription that no cell has yet may have been in the directory, with its start, because its owner was unknown.
 */
async function startInDirectory(
  { directory }: AttributionDeps,
  { subscriptionId }: Evidence,
  found: readonly CellRows[],
): Promise<{ readonly subscriptionStart: SubscriptionStart | null }> {
  if (subscriptionId === null || found.some(({ latest }) => latest.subscription !== null)) return { subscriptionStart: null };
  const [row] = await ownerOfSubscription(directory, subscriptionId);
  return { subscriptionStart: row ?? null };
}

/**
 * Whether the partner's cell confirms the partner in the metadata by the link, or without a link by the subscription.
 * These never change, so every earlier look-up found the same owner, unless the metadata was edited: then the evidence
 * was contradictory, and only an operator can have assigned another partner. One D1 round trip, to the directory.
 */
async function isConfirmed(
  { directory }: AttributionDeps,
  partnerId: string | null,
  { paymentLinkId, subscriptionId, paymentIntentId }: Evidence,
  [location]: readonly CellRows[],
): Promise<boolean> {
  if (location === undefined || location.owners.length === 0 || location.owners.some((owner) => owner !== partnerId)) return false;
  const isKnown = paymentLinkId === null ? subscriptionId !== null && location.latest.subscription !== null : location.linkLines !== null;
  if (!isKnown) return false;
  const [named] = await namedOwner(directory, [paymentIntentId, subscriptionId]);
  return named === undefined;
}

/**
 * The rows of the reachable cells among these. @throws if a cell is unreachable, and neither the others nor `known`
 * show an owner
 */
async function rowsInReach(cells: readonly NamedCell[], evidence: Evidence, known: readonly CellRows[]): Promise<CellRows[]> {
  const reach = new Reach();
  const asked = await Promise.all(cells.map((cell) => reach.ask(cell.databaseName, () => rowsIn(cell, evidence))));
  const found = asked.flatMap((rows) => rows ?? []);
  const isOwnerKnown = [...known, ...found].some(({ owners }) => owners.length > 0);
  if (!isOwnerKnown) reach.requireAll();
  return found;
}

const linesOf = (found: readonly CellRows[]) => found.find(({ linkLines }) => linkLines !== null)?.linkLines;

/** A partner that was split has the link of an old subscription in an earlier cell. One D1 round trip to each cell, for such a renewal alone. */
async function linesOfStart(
  deps: AttributionDeps,
  owner: PartnerLocation,
  { paymentLinkId }: Evidence,
  found: readonly CellRows[],
): Promise<LinkLines> {
  const id = paymentLinkId ?? startOf(found).paymentLinkId;
  if (id === null || owner.earlier.length === 0) return [];
  const rows = await deps.ofPartner(owner).data.each(async ({ db }) => ownerOfLink(db, id).get());
  return linesIn(rows.find((row) => row !== undefined)?.items ?? null);
}

async function withoutOwner(
  deps: AttributionDeps,
  evidence: Evidence,
  found: readonly CellRows[],
  why: "unknown" | "no_such_partner" | "contradictory",
): Promise<Attributed> {
  const { directory } = deps;
  const { paymentIntentId, subscriptionId } = evidence;
  const [[payment], [subscription], [named]] = await directory.batch([
    ...refreshesOf(directory, evidence),
    namedOwner(directory, [paymentIntentId, subscriptionId]),
  ]);
  const subscriptionStart = startOf([...found, { subscriptionStart: subscription ?? null }]);
  const location = named === undefined ? null : await deps.locationOf(named.partnerId);
  if (named !== undefined && location !== null) {
    const { latest, held } = await rowsAtHome(deps.ofPartner(location).data, evidence);
    const attribution = { partnerId: named.partnerId, databaseName: location.cell, idCode: location.idCode, held, why: null };
    return { attribution, latest, subscriptionStart, linkLines: linesOf(found) ?? [] };
  }
  const known = found.find(({ latest }) => latest.payment !== null) ?? found.find(({ latest }) => latest.subscription !== null);
  if (known !== undefined)
    return { attribution: { partnerId: null, databaseName: known.cell, why }, latest: known.latest, subscriptionStart, linkLines: [] };
  const attribution = { partnerId: null, databaseName: DIRECTORY, why } as const;
  return { attribution, latest: latestOf(payment, subscription), subscriptionStart, linkLines: [] };
}
