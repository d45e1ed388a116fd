import type { Environment } from "../core/environment.ts";
import type { Statement } from "../db/client.ts";
import type { Source } from "../processor/facts.ts";
import { isEarly, type LedgerDeps, lookUp, type Refresh } from "./look-up.ts";
import { recordRefreshes } from "./record-refreshes.ts";

/** Sources in the order in which they are looked up: the first ones show most, so the others often need no call. */
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
  /** Whether what is early is stored as it is, because nobody waits for it any longer. */
  readonly storeEarly: boolean;
  /** The statements that end the wait of the subject, at this time (Unix milliseconds). */
  readonly end: (now: number) => readonly Statement[];
}

/**
 * Looks up what events of one subject lead to, and stores it. An object that an earlier lookup has shown needs no lookup
 * of its own. What is early is not stored; what is not, is. Returns `early` if something was early, and `due_again` if
 * other events came meanwhile. @throws ServiceFailure if the processor fails for one of the sources. What the others
 * lead to is stored all the same: one object that cannot be read must not hide the money of the others.
 */
export async function refreshPending(
  deps: LedgerDeps,
  environment: Environment,
  sources: readonly Source[],
  { storeEarly, end }: Ending,
): Promise<"done" | "due_again" | "early"> {
  const found: Refresh[] = [];
  const failures: unknown[] = [];
  for (const source of sources.toSorted((left, right) => ORDER.indexOf(left.kind) - ORDER.indexOf(right.kind))) {
    if (found.some((look) => !isEarly(look) && shows(look, source))) continue;
    try {
      found.push(await lookUp(deps, environment, source));
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  const settled = found.filter((look) => !isEarly(look));
  // A payment may be found in more than one way. It is not early if another one shows what this one was to show.
  const early = found.filter(
    (look) => isEarly(look) && (look.facts.missing === "payment" || !settled.some((other) => shows(other, look.source))),
  );
  const isOver = failures.length === 0 && (storeEarly || early.length === 0);
  const results = await recordRefreshes(deps, storeEarly ? [...settled, ...early] : settled, isOver ? end : undefined);
  if (failures.length > 0) throw failures[0];
  if (!isOver) return "early";
  return results.flat().some((row) => typeof row === "object" && row !== null && "dueAgain" in row) ? "due_again" : "done";
}

/** Whether a lookup has shown another source too. A charge that failed says nothing of the next try at its payment. */
function shows({ source, facts }: Refresh, { kind, id }: Source): boolean {
  if (source.kind === kind && source.id === id) return true;
  return facts.charge?.status !== "failed" && (facts.subscription?.id === id || facts.objects.some((object) => object.id === id));
}
