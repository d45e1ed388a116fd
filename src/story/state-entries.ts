import { wordsOfAction, wordsOfActor } from "../audit/actions.ts";
import { isoTime, SECOND } from "../core/clock.ts";
import type { ListedLink } from "../links/admin/links.ts";
import { helpByCall, idsOf, NOTHING_WRONG, type StoryEntry } from "./entry.ts";
import type { OperatorsAct, OrderHistory } from "./order-history.ts";

/** The processor's reports, and pending look-ups. */
export function lookUpEntries(gathered: OrderHistory, now: number): StoryEntry[] {
  const { waiting, reported } = gathered.lookUps;
  const known = reported.map(
    ({ id, subject, type, objectId, receivedAt }): StoryEntry => ({
      ...NOTHING_WRONG,
      at: receivedAt,
      kind: "processor_event",
      id,
      objects: idsOf(subject, objectId),
      says: `The processor reported ${type}.`,
    }),
  );
  const open = waiting.map(({ subject, environment, state, since, attempts, lastError, nextAttemptAt }): StoryEntry => {
    const unseen = reported.filter((one) => one.subject === subject && one.receivedAt >= since).map(({ type }) => type);
    const what = unseen.length === 0 ? "What was reported" : `What was reported (${[...new Set(unseen)].join(", ")})`;
    const isKnown = [...gathered.movements.values()].some(({ paymentIntentId }) => paymentIntentId === subject);
    const failures = attempts === 1 ? "one attempt" : `${attempts} attempts`;
    return {
      at: since,
      kind: "look_up",
      id: subject,
      objects: [subject],
      says: {
        parked: `${what} is parked: it is no longer looked up.`,
        gone: `${what} is set aside: the processor has no such object.`,
        due: `${what} waits for its look-up at the processor; the next attempt is due ${isoTime(nextAttemptAt)}.`,
      }[state],
      wrong: `${isKnown ? "A later report is not recorded yet" : "It is not recorded yet"}${lastError === null ? "" : `: ${failures} failed, the last one with ${lastError}`}.`,
      help:
        state === "due" ? helpByCall("ledger refresh", { environment, id: subject }) : helpByCall("parked-payments retry", { id: subject }),
    };
  });
  return [...known, ...open, ...tellUnreported(gathered, now)];
}

/** Payments that the processor has and has not reported. */
function tellUnreported({ payments, movements, lookUps: { waiting, reported } }: OrderHistory, now: number): StoryEntry[] {
  const known = new Set([
    ...[...movements.values()].map(({ paymentIntentId }) => paymentIntentId),
    ...[...waiting, ...reported].map(({ subject }) => subject),
  ]);
  return [...payments].flatMap(([id, environment]) => {
    if (known.has(id)) return [];
    return [
      {
        at: now,
        kind: "look_up",
        id,
        objects: [id],
        says: "The processor has this payment.",
        wrong: "No event about it arrived: it is new, it was never charged, or its events were missed.",
        help: helpByCall("ledger refresh", { environment, id }),
      },
    ];
  });
}

/** A disabled partner, from the time of the change. `now` if the audit log does not have it. */
export function partnerEntries({ partners, acts }: OrderHistory, now: number): StoryEntry[] {
  return [...partners.values()].flatMap(({ id, status }) => {
    if (status === "active") return [];
    const disabled = acts.filter((act) => act.target === id && act.action === "partner.disable").map(({ at }) => at);
    return [
      {
        at: disabled.length === 0 ? now : Math.max(...disabled),
        kind: "partner",
        id,
        objects: [],
        says: "The partner has been disabled since then.",
        wrong: "Its links do not work, its keys are refused, and nothing is sent to its webhooks.",
        help: helpByCall("partners enable", { id }),
      },
    ];
  });
}

/** A resend to a webhook need not concern this order. */
const isOfOrder = ({ action }: OperatorsAct) => !/^endpoint\.(?:send|restart)_/.test(action);

/** Whether an act is the one since which a link is disabled: both are written at once. */
export const isDisabling = ({ action, at }: OperatorsAct, link: Pick<ListedLink, "disabledAt"> | undefined): boolean =>
  action === "payment_link.disable" &&
  link !== undefined &&
  link.disabledAt !== null &&
  at >= link.disabledAt &&
  at < link.disabledAt + SECOND;

/** Operators' actions on the order, its partner and its webhook, since the order started. */
export function actEntries(gathered: OrderHistory): StoryEntry[] {
  const { records, links, movements, subscriptions, bankOrders, deliveries, acts, named } = gathered;
  const ours = [
    ...[...records.values(), ...links.values(), ...deliveries.values()].map(({ createdAt }) => createdAt),
    ...[...bankOrders.values()].flatMap(({ notifications }) => notifications.map(({ receivedAt }) => receivedAt)),
  ];
  // The processor's times are in seconds, so they only count if there are no times of ours.
  const theirs = [...movements.values(), ...subscriptions.values()].map(({ updatedAt }) => updatedAt);
  const begun = Math.min(...(ours.length > 0 ? ours : theirs));
  // The entry of a disabled link names its act.
  const shown = acts.filter((act) => !isDisabling(act, links.get(act.target)));
  return shown.filter((act) => named.has(act.target) || (act.at >= begun && isOfOrder(act))).map(actEntry);
}

function actEntry({ at, actor, action, target }: OperatorsAct): StoryEntry {
  const says = `${wordsOfActor(actor).replace(/^the /, "The ")} ${wordsOfAction(action)}.`;
  return { ...NOTHING_WRONG, at, kind: "act", id: target, objects: [], says };
}
