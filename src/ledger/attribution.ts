import { type CellCode, DIRECTORY } from "../core/cell-code.ts";
import type { Cell, Database, Directory } from "../db/client.ts";
import { ownerOfLink } from "../links/store.ts";
import { partnerIdIn } from "../processor/attribution.ts";
import { ownerOfSubscription } from "../subscriptions/store.ts";
import { latestRefreshOf, ownerOfPayment } from "./store.ts";

/** The data that can identify the owner of an object. A missing value is null. */
export interface Evidence {
  readonly metadata: Readonly<Record<string, string>>;
  readonly paymentLinkId: string | null;
  readonly subscriptionId: string | null;
  readonly paymentIntentId: string | null;
}

/**
 * The owner, and the cell that has the owner's data. Without an owner, it belongs in the directory: nothing shows the
 * owner (yet), or the evidence names no partner of ours, or contradicts itself.
 */
export type Attribution =
  | { readonly partnerId: string; readonly place: CellCode; readonly why: null }
  | { readonly partnerId: null; readonly place: typeof DIRECTORY; readonly why: "unknown" | "no_such_partner" | "contradictory" };

/** When the latest stored refresh saw the payment, and the subscription, in Unix milliseconds; null if none is stored. */
export interface Latest {
  readonly payment: number | null;
  readonly subscription: number | null;
}

export interface AttributionDeps {
  readonly directory: Directory;
  readonly cells: readonly CellCode[];
  readonly cellOf: (partnerId: string) => Promise<CellCode | null>;
  readonly inCell: (cell: CellCode) => { readonly db: Cell };
}

/**
 * Finds the owner of a payment or subscription. The evidence is the partner in its metadata, the owner of the link it
 * was paid through, the owner of the subscription it pays for, and the known owner of the payment. All evidence must
 * agree, because a payment shown to the wrong partner is worse than one that waits for an operator. Nothing is guessed.
 * Also gives when the latest stored refresh saw it. One D1 round trip where the metadata names the partner and its cell
 * knows the link, the subscription or the payment. Otherwise, all cells are asked.
 */
export async function attribute(
  deps: AttributionDeps,
  evidence: Evidence,
): Promise<{ readonly attribution: Attribution; readonly latest: Latest }> {
  const named = partnerIdIn(evidence.metadata);
  const home = named === null ? null : await deps.cellOf(named);
  // The metadata names a partner that does not exist: this contradicts all other evidence. It is not missing data.
  if (named !== null && home === null) return withoutOwner(deps, evidence, "no_such_partner");

  const ask = (cells: readonly CellCode[]) =>
    Promise.all(cells.map(async (cell) => ({ cell, ...(await rowsIn(deps.inCell(cell).db, evidence)) })));
  const own = await ask(home === null ? deps.cells : [home]);
  const isKnown = own.some(({ owners }) => owners.length > 0);
  const others = isKnown || home === null ? [] : await ask(deps.cells.filter((cell) => cell !== home));

  const owners = new Map<string, CellCode>();
  for (const { cell, owners: found } of [...own, ...others]) for (const partnerId of found) owners.set(partnerId, cell);
  if (named !== null && home !== null) owners.set(named, home);
  const [owner, ...contradicting] = owners;
  if (owner === undefined) return withoutOwner(deps, evidence, "unknown");
  if (contradicting.length > 0) return withoutOwner(deps, evidence, "contradictory");
  const [partnerId, place] = owner;
  const latest = own.find(({ cell }) => cell === place)?.latest ?? NEVER;
  return { attribution: { partnerId, place, why: null }, latest };
}

async function withoutOwner({ directory }: AttributionDeps, evidence: Evidence, why: "unknown" | "no_such_partner" | "contradictory") {
  const [[payment], [subscription]] = await directory.batch(refreshesOf(directory, evidence));
  return { attribution: { partnerId: null, place: DIRECTORY, why }, latest: latestOf(payment, subscription) } as const;
}

/** What the rows of a cell show: the owners, and when they were last refreshed. One D1 round trip. */
async function rowsIn(db: Cell, evidence: Evidence) {
  const [[payment], [subscription], links, payments] = await db.batch([
    ...refreshesOf(db, evidence),
    ownerOfLink(db, evidence.paymentLinkId ?? NO_ID),
    ownerOfPayment(db, evidence.paymentIntentId ?? NO_ID),
  ]);
  const owners = [subscription, ...links, ...payments].flatMap((row) => row?.partnerId ?? []);
  return { owners: [...new Set(owners)], latest: latestOf(payment, subscription) };
}

function refreshesOf(db: Database, { paymentIntentId, subscriptionId }: Evidence) {
  return [latestRefreshOf(db, paymentIntentId ?? NO_ID), ownerOfSubscription(db, subscriptionId ?? NO_ID)] as const;
}

type Stored = { readonly latest: number | null } | undefined;

const latestOf = (payment: Stored, subscription: Stored): Latest => ({
  payment: payment?.latest ?? null,
  subscription: subscription?.latest ?? null,
});

const NEVER: Latest = { payment: null, subscription: null };

/** Matches no row: no id is empty. */
const NO_ID = "";
