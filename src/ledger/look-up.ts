import { upstreamBudget } from "../core/call-budget.ts";
import type { CellCode, DatabaseName } from "../core/cell-code.ts";
import { type Clock, HOUR } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { isOutage, ServiceFailure, toServiceError } from "../core/errors.ts";
import type { Log } from "../core/log.ts";
import type { RefreshFailure } from "../db/schema/ledger.ts";
import type { PaymentFacts, Source } from "../processor/facts.ts";
import type { Processor } from "../processor/processor.ts";
import type { OutboxDeps } from "../webhooks/outbox/store.ts";
import { type Attribution, type AttributionDeps, attribute } from "./attribution.ts";
import type { Latest, LinkLines } from "./evidence.ts";
import type { Movement } from "./movement.ts";
import { movementsOf, unbookedRefundOf } from "./movements-of.ts";
import type { SnapshotDeps } from "./snapshots.ts";

export interface LedgerDeps extends OutboxDeps, SnapshotDeps, AttributionDeps {
  /** The database where the events wait that caused the refresh. The result is stored in the owner's database. */
  readonly databaseName: DatabaseName;
  readonly inDatabase: (databaseName: DatabaseName) => OutboxDeps & { readonly databaseName: DatabaseName };
  /** Moves a partner's movements from earlier cells to its current one, where they may be changed. */
  readonly pullRows: (
    cells: { readonly from: readonly CellCode[]; readonly to: CellCode },
    table: "movements" | "orders" | "payment_links",
    partnerId: string,
    rows: { readonly where: string; readonly parameters: readonly string[] },
  ) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  processor(environment: Environment): Processor;
}

/** The processor's state of a payment or subscription at `asOf` (Unix milliseconds), and its owner. */
export interface Refresh {
  readonly environment: Environment;
  readonly source: Source;
  readonly asOf: number;
  readonly facts: PaymentFacts;
  readonly attribution: Attribution;
  readonly latest: Latest;
  /** What the link sells; empty if that is not known. */
  readonly linkLines: LinkLines;
  readonly movements: readonly Movement[];
  /** A refund that failed before it was booked: it has an event, but no row. */
  readonly unbookedRefund: Movement | null;
}

/**
 * Looks up a payment or subscription at the processor. Only the id is taken from the trigger, so events may come late,
 * twice or in any order. `notBefore`: another look-up ended by then, whatever the clocks say.
 * @throws ServiceFailure as the processor does.
 */
export async function lookUp(deps: LedgerDeps, environment: Environment, source: Source, notBefore = 0): Promise<Refresh> {
  const asOf = Math.max(deps.clock.now(), notBefore);
  const facts = await deps.processor(environment).retrieve(source, { budget: upstreamBudget(deps.clock) });
  const { attribution, latest, subscriptionStart, linkLines } = await attribute(deps, facts);
  const { partnerId } = attribution;
  // A renewal has no checkout of its own.
  const whole: PaymentFacts = {
    ...facts,
    paymentLinkId: facts.paymentLinkId ?? subscriptionStart.paymentLinkId,
    subscriptionReferenceId: facts.subscriptionReferenceId ?? subscriptionStart.clientReferenceId,
    // A subscription waits for its start only once; the start known by then is kept.
    missing: facts.charge === null && facts.missing === "checkout_session" && latest.subscription !== null ? null : facts.missing,
  };
  const movements = movementsOf(whole, environment, partnerId);
  const unbookedRefund = unbookedRefundOf(whole, environment, partnerId);
  return { environment, source, asOf, facts: whole, attribution, latest, linkLines, movements, unbookedRefund };
}

/**
 * Whether the refresh came too early: there is something to record, but the processor has not yet connected it with the
 * evidence for its owner or its order reference. Waiting is useless for a transaction that belongs to no payment, for
 * an owner that does not exist, and for contradictory evidence.
 */
export function isEarly({ facts, attribution, movements, unbookedRefund }: Refresh): boolean {
  const { charge, refund, dispute, subscription, freeCheckout, expiredCheckout, missing } = facts;
  if (missing === "payment") return true;
  const isOfPayment = [charge, refund, dispute, subscription, freeCheckout, expiredCheckout].some((found) => found !== null);
  const isThere =
    movements.length > 0 || [dispute, subscription, freeCheckout, expiredCheckout, unbookedRefund].some((found) => found !== null);
  return isOfPayment && isThere && (missing !== null || attribution.why === "unknown");
}

/** So many objects that are gone within the period are no chance: the key may be that of another account. */
export const MANY_GONE = 10;
export const GONE_PERIOD = HOUR;

/** The processor has no object with the id of the event: it was deleted, or it belongs to another account. */
export class ObjectGone extends Error {
  constructor({ kind, id }: Source, cause: unknown) {
    super(`the processor has no ${kind} ${id}`, { cause });
    this.name = "ObjectGone";
  }
}

/**
 * {@link ObjectGone} for a refusal that says that this very object does not exist. An object that the look-up comes upon
 * afterwards is a contradiction at the processor, and stays a failure of its own.
 */
export function asGone(thrown: unknown, source: Source): unknown {
  if (!(thrown instanceof ServiceFailure) || thrown.error.kind !== "upstream_failed") return thrown;
  const { code, message } = thrown.error;
  return code === "resource_missing" && message.includes(source.id) ? new ObjectGone(source, thrown) : thrown;
}

/** The kind of a failed look-up, which decides how it goes on. */
export function failureOf(thrown: unknown): RefreshFailure {
  if (thrown instanceof ObjectGone) return "gone";
  if (isOutage(thrown)) return "outage";
  return toServiceError(thrown).kind === "upstream_failed" ? "refused" : "internal";
}
