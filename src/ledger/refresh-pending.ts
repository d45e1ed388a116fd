import type { Environment } from "../core/environment.ts";
import { rowsOfKind, type Statement } from "../db/client.ts";
import type { Source } from "../processor/facts.ts";
import { asGone, isEarly, type LedgerDeps, lookUp, ObjectGone, type Refresh } from "./look-up.ts";
import { recordRefreshes } from "./record-refreshes.ts";
import { dueAgainSchema } from "./refreshes-store.ts";

/** Sources in look-up order: the first ones show most, so the others often need no call. */
const ORDER: readonly Source["kind"][] = [
  "refund",
  "dispute",
  "charge",
  "payment_intent",
  "checkout_session",
  "invoice",
  "subscription",
  "balance_transaction",
];

interface Ending {
  /** Whether an early refresh is stored as it is, because no further attempt follows. */
  readonly storeEarly: boolean;
  /** The statements that end the wait of the subject, at this time (Unix milliseconds). */
  readonly end: (now: number) => readonly Statement[];
}

/**
 * Looks up the sources of one subject's events, and stores the results. An object that an earlier look-up has shown
 * needs none of its own. Early results are not stored; the others are. Returns `early` if a result was early, and
 * `due_again` if further events arrived. @throws ServiceFailure if the processor fails for one of the sources, ObjectGone if it only lacks some of them. The
 * results of the others are stored: one unreadable object must not hide the money of the others.
 */
export async function refreshPending(
  deps: LedgerDeps,
  environment: Environment,
  sources: readonly Source[],
  { storeEarly, end }: Ending,
): Promise<"done" | "due_again" | "early"> {
  const found: Refresh[] = [];
  const failures: unknown[] = [];
  // A failure of another kind tells more than an object that is gone.
  const failed = () => failures.find((failure) => !(failure instanceof ObjectGone)) ?? failures[0];
  for (const source of sources.toSorted((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind))) {
    if (found.some((look) => !isEarly(look) && shows(look, source))) continue;
    try {
      found.push(await lookUp(deps, environment, source));
    } catch (thrown) {
      failures.push(asGone(thrown, source));
    }
  }
  const settled = found.filter((look) => !isEarly(look));
  // A payment may be found in more than one way. It is not early if another result shows the missing part.
  const early = found.filter(
    (look) => isEarly(look) && (look.facts.missing === "payment" || !settled.some((other) => shows(other, look.source))),
  );
  const isOver = failures.length === 0 && (storeEarly || early.length === 0);
  const returned = await recordRefreshes(deps, storeEarly ? [...settled, ...early] : settled, isOver ? end : undefined);
  if (failures.length > 0) throw failed();
  if (!isOver) return "early";
  return rowsOfKind(returned, dueAgainSchema).length > 0 ? "due_again" : "done";
}

/**
 * Whether a look-up has also shown another source. A failed charge says nothing about the next attempt at its payment.
 */
function shows({ source, facts }: Refresh, { kind, id }: Source): boolean {
  if (source.kind === kind && source.id === id) return true;
  return facts.charge?.status !== "failed" && (facts.subscription?.id === id || facts.objects.some((object) => object.id === id));
}
