import { ordersNamed } from "../bank-payments/store.ts";
import type { CellCode } from "../core/cell-code.ts";
import type { Environment } from "../core/environment.ts";
import { endpointNameIn } from "../core/ids.ts";
import { isHeld } from "../core/object-states.ts";
import type { Cell } from "../db/client.ts";
import type { PartnerData } from "../db/partner-data.ts";
import { readRecords, recordsOfRequest } from "../idempotency/find-records.ts";
import { newestOfReference, paymentsById, paymentsOfTransaction } from "../ledger/movements/known-payments.ts";
import { findLinksBySlugs } from "../links/admin/links.ts";
import type { PartnerLocation } from "../partners/read-location.ts";
import { collectOrder, type StoryDeps } from "./collect-order.ts";
import type { Help, StoryEntry } from "./entry.ts";
import { searchedText } from "./find.ts";
import { eventsById, inCell, linksById, recordIdsOf } from "./find-others.ts";
import { paymentsOfObject, subscriptionsById } from "./find-payments.ts";
import { type Found, MAX_PAYMENTS } from "./found.ts";
import type { OrderHistory } from "./order-history.ts";
import { toTimeline } from "./timeline.ts";

/** The partner that asks for a story. */
interface Asker extends PartnerLocation {
  readonly partnerId: string;
  readonly data: PartnerData<{ readonly db: Cell; readonly databaseName: CellCode }>;
}

interface OwnStoryDeps extends StoryDeps {
  /** Whether a call to the processor is within the partner's share of its rate limit. */
  readonly mayCallFor: (partnerId: string, environment: Environment) => Promise<boolean>;
}

/** The entries that a partner sees. The others tell of our own work, or of operators. */
const SHOWN: ReadonlySet<StoryEntry["kind"]> = new Set([
  "request",
  "payment_link",
  "movement",
  "subscription",
  "bank_payment",
  "event",
  "delivery",
]);

/**
 * The story of a partner's own order, by any id of it: of a link, a payment or a movement of it, its charge, refund or
 * dispute, a subscription, an event or a ruble order, its order reference, a client token, a request id, or its short URL. Null if nothing of the partner has it. It asks
 * our own databases alone, and the processor for the payment of a charge, a refund or a dispute.
 * @throws ServiceFailure from the processor.
 */
export async function ownStory(deps: OwnStoryDeps, asker: Asker, text: string) {
  const only = narrowed(deps, asker);
  const found = await ofAsker(only, asker, text);
  if (found.length === 0) return null;
  const history = await collectOrder(only, found);
  const entries = toTimeline(withoutContacts(history), deps.clock.now())
    .filter(({ kind }) => SHOWN.has(kind))
    .map((entry) => ({ ...entry, help: entry.wrong === null && entry.help?.command === "explain" ? null : ownHelp(entry.help, history) }));
  return { entries, deliveries: [...history.deliveries.values()], endpoints: [...history.endpoints.values()] };
}

/** What of a partner a text names, as {@link ownStory} understands it. @throws ServiceFailure from the processor. */
export const findOwnNamed = (deps: OwnStoryDeps, asker: Asker, text: string): Promise<Found[]> =>
  ofAsker(narrowed(deps, asker), asker, text);

/** The dependencies with the partner's own data alone. */
function narrowed(deps: OwnStoryDeps, asker: Asker) {
  const { cells } = asker.data;
  const mayCall = (environment: Environment) => deps.mayCallFor(asker.partnerId, environment);
  return { ...deps, mayCall, onlyOf: asker, databaseNames: cells.map(({ databaseName }) => databaseName), everyCell: () => cells };
}

const ofAsker = async (deps: StoryDeps, asker: Asker, text: string): Promise<Found[]> =>
  (await findOwn(deps, asker, searchedText(text), text.trim())).filter(({ partnerId }) => partnerId === asker.partnerId);

async function findOwn(deps: StoryDeps, asker: Asker, id: string, typed: string): Promise<Found[]> {
  if (id === "") return [];
  const prefixed = PREFIXES.find(([pattern]) => pattern.test(id))?.[1];
  const named = prefixed === undefined ? [] : await prefixed(deps, asker, id);
  if (named.length > 0) return named;
  const own = await findOwnNames(deps, asker, id, typed);
  // The processor is asked last: its failure must not hide a reference that looks like one of its ids.
  return own.length > 0 || !isOfProcessor(id) ? own : ownPaymentsOfObject(deps, asker, id);
}

/** Only the processor knows the payment of a charge, a refund or a dispute; our rows know the payment's owner. */
export const isOfProcessor = (id: string): boolean => /^(ch|py|re|pyr|du|dp)_[A-Za-z0-9]{8,60}$/i.test(id);

/** What has the text as a reference, a token, a request id, an order number or a slug. */
async function findOwnNames(deps: StoryDeps, asker: Asker, id: string, typed: string): Promise<Found[]> {
  const { partnerId, data } = asker;
  // The letter case of a reference or a token counts.
  const text = id.toLowerCase() === typed.toLowerCase() ? typed : id;
  // A partner's own reference may look like one of our ids.
  const ofEach = await data.each(async ({ db }) => ({
    payments: await newestOfReference(db, partnerId, text),
    orders: await ordersNamed(db, text, partnerId),
    link: (await findLinksBySlugs(db, [text]))[0],
    requests: [...(await readRecords(db, await recordIdsOf(deps, asker, text))), ...(await recordsOfRequest(db, text))],
  }));
  return [
    ...ofEach.flatMap(({ payments }) => viewPayments(payments)),
    ...ofEach.flatMap(({ link }) => (link === undefined ? [] : [inCell("payment_link", link, null)])),
    ...ofEach.flatMap(({ requests }) => requests.map((one) => inCell("request", { ...one, environment: null }, null))),
    ...ofEach.flatMap(({ orders }) => orders.map((one) => inCell("bank_order", one, null))),
  ];
}

type OwnFinder = (deps: StoryDeps, asker: Asker, text: string) => Promise<Found[]>;

const PREFIXES: readonly (readonly [RegExp, OwnFinder])[] = [
  [/^plink_/, (deps, _asker, text) => linksById(deps, text)],
  [/^sub_/, (deps, _asker, text) => subscriptionsById(deps, text)],
  [/^evt_/, (deps, _asker, text) => eventsById(deps, text)],
  [/^pi_/, async (_deps, { data }, text) => viewPayments((await data.each(({ db }) => paymentsById(db, text))).flat())],
  [
    /^(processor:)?txn_/,
    async (_deps, { data }, text) => viewPayments((await data.each(({ db }) => paymentsOfTransaction(db, text))).flat()),
  ],
];

async function ownPaymentsOfObject(deps: StoryDeps, { data }: Asker, text: string): Promise<Found[]> {
  const ids = (await paymentsOfObject(deps, text)).flatMap(({ kind, id }) => (kind === "payment" ? id : []));
  const rows = await Promise.all(ids.map((id) => data.each(({ db }) => paymentsById(db, id))));
  return viewPayments(rows.flat(2));
}

function viewPayments(found: Awaited<ReturnType<typeof paymentsById>>): Found[] {
  return found
    .slice(0, MAX_PAYMENTS)
    .flatMap(({ paymentIntentId: id, partnerId, environment }) =>
      id === null ? [] : [inCell("payment", { id, partnerId, environment }, null)],
    );
}

/** A contact is how operators reach the partner. */
function withoutContacts(history: OrderHistory): OrderHistory {
  return { ...history, partners: new Map([...history.partners].map(([id, partner]) => [id, { ...partner, contact: null }])) };
}

/** The partner's own call that helps, in place of an operators'; null if only support can help. */
function ownHelp(help: Help | null, { links, records, endpoints }: OrderHistory): Help | null {
  if (help === null) return null;
  const { id = "", link = "", key = "" } = help.given;
  switch (help.command) {
    case "deliveries resend":
      return help;
    case "endpoints resume": {
      const endpoint = endpoints.get(id);
      if (endpoint === undefined || endpoint.channel !== null || isHeld(endpoint)) return null;
      return { command: "webhooks resume", given: { webhook: endpointNameIn(id) } };
    }
    case "payment-links enable":
      return links.get(link)?.disabledBy === "partner" ? { command: "links enable", given: { link } } : null;
    case "explain": {
      const record = [...records.values()].find((one) => one.key.endsWith(`:${key}`));
      return record === undefined ? null : { command: "requests show", given: { request: record.requestId } };
    }
    default:
      return null;
  }
}
