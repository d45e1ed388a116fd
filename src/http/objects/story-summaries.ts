import { stateOfKey } from "../../core/object-states.ts";
import { UTC } from "../../core/time-zone.ts";
import type { Deps } from "../../deps.ts";
import { findOrder } from "../../orders/list.ts";
import { findListedKey } from "../../partners/admin/keys.ts";
import { findPartner } from "../../partners/admin/partners.ts";
import { findPromotionCodeRow } from "../../promotions/deactivate.ts";
import { type Found, inEachCell } from "../../story/found.ts";
import type { OrderHistory } from "../../story/order-history.ts";
import { factsOfOrder } from "../../summaries/facts-of-order.ts";
import { summaryForCustomer } from "../../summaries/for-customer.ts";
import { summaryOfKey } from "../../summaries/of-objects.ts";
import { summaryOfOrder } from "../../summaries/of-order.ts";
import { summaryOfRefusedKey } from "../../summaries/of-refused-key.ts";
import { summaryOfUnrecorded, unrecordedForCustomer } from "../../summaries/of-unrecorded.ts";
import type { Asker } from "./define.ts";
import { saidOfLink } from "./links.ts";
import { saidOfCode } from "./promotion-codes.ts";
import { storyDeps } from "./story-deps.ts";
import { saidOfSubscription } from "./subscriptions.ts";

/** Orders of a story that get a summary: more are the payments of a partner's whole link, or of a long subscription. */
const MOST_SUMMARIES = 5;

/** What support says of a story: of the links, codes and keys that were asked for themselves, and of its orders and subscriptions. */
export const summariesOfStory = async (asker: Asker, found: readonly Found[], history: OrderHistory) => [
  ...(await ofNamed(asker.deps, found, history)),
  ...(await ofOrders(asker.deps, history)),
  ...(await ofSubscriptions(asker, history)),
];

/** The processor's reports after which a payment is paid. */
const isOfPaid = (type: string): boolean => /^(?:charge|payment_intent)\.succeeded$/.test(type);

const zoneOfPartner = async (deps: Deps, id: string) => (await deps.locationOf(id))?.timeZone ?? UTC;

const NAMED: ReadonlySet<Found["kind"]> = new Set(["payment_link", "promotion_code", "key"]);

/** What is said of the links, codes and keys that were asked for themselves. */
async function ofNamed(deps: Deps, found: readonly Found[], { links }: OrderHistory) {
  const named = found.filter(({ kind }) => NAMED.has(kind)).slice(0, MOST_SUMMARIES);
  const asked = named.map(async ({ kind, id }) => {
    if (kind === "payment_link") {
      const link = links.get(id);
      return link === undefined ? [] : [{ about: id, ...saidOfLink(link, deps.clock.now(), await zoneOfPartner(deps, link.partnerId)) }];
    }
    if (kind === "key") return saidOfKey(deps, id);
    if (kind !== "promotion_code") return [];
    const [code] = await inEachCell(storyDeps(deps), (db) => findPromotionCodeRow(db, id));
    return code === undefined ? [] : [{ about: id, ...(await saidOfCode(deps, code.row, await zoneOfPartner(deps, code.row.partnerId))) }];
  });
  return (await Promise.all(asked)).flat();
}

async function saidOfKey({ clock, directory, locationOf }: Deps, id: string) {
  const key = await findListedKey(directory, id);
  if (key === undefined) return [];
  const zone = (await locationOf(key.partnerId))?.timeZone ?? UTC;
  const isDisabled = (await findPartner(directory, key.partnerId))?.status === "disabled";
  const summary = isDisabled
    ? summaryOfRefusedKey(key.hint ?? "", "partner_disabled")
    : summaryOfKey({ ...key, state: stateOfKey(key, clock.now()) }, zone);
  return [{ about: id, summary, to_customer: null }];
}

/**
 * The summary of each order of a story that a cell within reach has, and of each payment that is no order of ours yet. Its events are known
 * where it is the only one. Two D1 round trips an order and cell.
 */
async function ofOrders(deps: Deps, history: OrderHistory) {
  const { payments, bankOrders, checkouts, movements, disputes, deliveries, lookUps, gaps } = history;
  const ids = [...payments.keys(), ...bankOrders.keys(), ...checkouts.keys()];
  const summaries = ids.slice(0, MOST_SUMMARIES).map(async (id) => {
    const [found] = await inEachCell(storyDeps(deps), (db) => findOrder(db, id));
    const ofPayment = [...movements.values()].filter(({ paymentIntentId }) => paymentIntentId === id);
    if (found === undefined) {
      // A cell out of reach may have it. One with an owner is an order whose row was lost: `books rebuild` makes it again.
      if (
        !payments.has(id) ||
        ofPayment.some(({ partnerId }) => partnerId !== null) ||
        gaps.length > 0 ||
        (deps.reach !== undefined && deps.reach.lost.size > 0)
      )
        return [];
      const waiting = lookUps.waiting.find(({ subject }) => subject === id);
      const isPaid = lookUps.reported.some(({ subject, type }) => subject === id && isOfPaid(type));
      const unrecorded = { environment: payments.get(id) ?? "live", isPaid, lookUp: waiting ?? null, movements: ofPayment };
      const [link] = history.links.values();
      const zone = link === undefined ? UTC : await zoneOfPartner(deps, link.partnerId);
      return [{ about: id, summary: summaryOfUnrecorded(unrecorded, zone), to_customer: unrecordedForCustomer(unrecorded, zone) }];
    }
    const order = found.row;
    const disputed = [...disputes.values()].filter(({ paymentIntentId }) => paymentIntentId === id);
    const facts = factsOfOrder({
      order,
      movements: ofPayment,
      disputed,
      deliveries: ids.length === 1 ? [...deliveries.values()] : [],
      endpoints: [...history.endpoints.values()],
    });
    const zone = await zoneOfPartner(deps, order.partnerId);
    return [{ about: order.id, summary: summaryOfOrder(facts, zone), to_customer: summaryForCustomer(facts, zone) }];
  });
  return (await Promise.all(summaries)).flat();
}

async function ofSubscriptions(asker: Asker, { subscriptions }: OrderHistory) {
  const said = [...subscriptions.values()].slice(0, MOST_SUMMARIES).map(async (row) => {
    const summary = await saidOfSubscription(asker, row);
    return summary === null ? [] : [{ about: row.id, summary, to_customer: summary }];
  });
  return (await Promise.all(said)).flat();
}
