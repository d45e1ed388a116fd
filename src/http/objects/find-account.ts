import { entriesOfRequest } from "../../audit/audit-log.ts";
import { findPayoutsNamed } from "../../books/payouts.ts";
import { findStatement } from "../../books/statements.ts";
import { isoTime } from "../../core/clock.ts";
import { toMajorUnits } from "../../core/money.ts";
import { stateOfConfirmation, stateOfGrant, stateOfKey } from "../../core/object-states.ts";
import { sizeIn, twoDecimals } from "../../core/typed-amount.ts";
import { findConfirmation } from "../../grants/confirmations.ts";
import { grantOf, selectGrant } from "../../grants/store.ts";
import { findKeysByHint, findListedKey, findPastedKey } from "../../partners/admin/keys.ts";
import { findEmployee, listEmployees } from "../../partners/people/employees.ts";
import { summaryOfKey } from "../../summaries/of-objects.ts";
import { MOST, type Way } from "./find-way.ts";
import { NOTHING_SAID, sayKey, sayPerson } from "./said-of-found.ts";
import { statementsPage, viewStatement } from "./statements.ts";

/** The last characters of a key, as its list shows them: `…ecdd`. */
const HINT = /^(?:…|\.\.\.)?([0-9a-f]{4})$/i;

/** Keys by their id, their last characters, or the hash of one that was pasted. */
const keys: Way = [
  "owner",
  async ({ deps: { directory, clock }, caller }, wanted) => {
    const [, hint] = HINT.exec(wanted) ?? [];
    const named = async () => (await findListedKey(directory, wanted)) ?? findPastedKey(directory, wanted.toLowerCase());
    const found = hint === undefined ? [await named()] : await findKeysByHint(directory, hint.toLowerCase(), caller.partnerId);
    return found
      .flatMap((key) => (key?.partnerId === caller.partnerId ? [key] : []))
      .map((key) => {
        const summary = summaryOfKey({ ...key, state: stateOfKey(key, clock.now()) }, caller.timeZone);
        return { kind: "key", id: key.id, environment: null, ...sayKey(key, clock.now()), summary };
      });
  },
];

/** People whose names are searched. */
const MOST_PEOPLE = 500;

const people: Way = [
  "owner",
  async ({ deps: { directory, clock }, caller }, wanted) => {
    const byId = await findEmployee(directory, wanted);
    const own = await listEmployees(directory, caller.partnerId, "", MOST_PEOPLE);
    const isNamed = ({ name }: { readonly name: string }) => name.toLowerCase().includes(wanted.toLowerCase());
    const found = [...(byId?.partnerId === caller.partnerId ? [byId] : []), ...own.filter(isNamed).slice(0, MOST)];
    return found.map((person) => ({ kind: "person", id: person.id, environment: null, ...sayPerson(person, clock.now()) }));
  },
];

const agents: Way = [
  "owner",
  async ({ deps: { directory, clock }, caller }, wanted) => {
    const [row] = await selectGrant(directory, wanted);
    if (row?.partnerId !== caller.partnerId) return [];
    const grant = grantOf(row);
    const state = stateOfGrant(grant, await findListedKey(directory, grant.keyId), clock.now());
    return [
      { ...NOTHING_SAID, kind: "agent", id: grant.id, environment: null, title: grant.clientName, state, at: isoTime(grant.createdAt) },
    ];
  },
];

const confirmations: Way = [
  "products_view",
  async ({ deps: { directory, clock }, caller }, wanted) => {
    const found = await findConfirmation(directory, wanted);
    if (found?.partnerId !== caller.partnerId) return [];
    const state = stateOfConfirmation(found, clock.now());
    const said = { ...NOTHING_SAID, title: found.clientName, state, at: isoTime(found.requestedAt) };
    return [{ ...said, kind: "confirmation", id: found.id, environment: null }];
  },
];

/** The sums of a statement. */
const SUMS = ["opening", "payments", "refunds", "disputes", "fees", "terms", "payouts", "closing"] as const;

/** The size of a sum as a page shows it, with or without its sign, in major units; null for another text. Zero is no sum of one alone. */
function shownSize(text: string): number | null {
  const minor = sizeIn(text);
  return minor === null || minor === 0 ? null : twoDecimals(minor);
}

/** Closed statements by their id, and all by one of their sums; an open one has an id that names its month. */
const statements: Way = [
  "balance_view",
  async (context, wanted) => {
    const { deps, actor, own, caller } = context;
    const size = shownSize(wanted);
    const isNamed = /^(?:st|open)_/.test(wanted);
    if (size === null && !isNamed) return [];
    const asker = { deps, actor, partner: context };
    const found = wanted.startsWith("st_")
      ? (await own.data.each(({ db }) => findStatement(db, wanted))).flatMap((row) =>
          row?.partnerId === caller.partnerId ? viewStatement(row) : [],
        )
      : (await statementsPage(asker, {})).data.filter((one) =>
          isNamed ? one.id === wanted : SUMS.some((sum) => Math.abs(one[sum]) === size),
        );
    return found.slice(0, MOST).map(({ id, month, currency, state, closing, closed_at }) => ({
      kind: "statement",
      id,
      environment: "live",
      title: month,
      state,
      currency,
      amount: closing,
      at: closed_at,
    }));
  },
];

/** Payouts by their id, by the reference of the bank, or by their amount. */
const payouts: Way = [
  "balance_view",
  async ({ own, caller: { partnerId } }, wanted, _named, typed) => {
    const rows = (
      await own.data.each(({ db }) => findPayoutsNamed(db, partnerId, { texts: [wanted, typed], size: shownSize(wanted) }, MOST))
    ).flat();
    return rows.map(({ id, currency, amount, state, paidAt, bankReference }) => ({
      kind: "payout",
      id,
      environment: "live",
      title: bankReference,
      state,
      currency,
      amount: toMajorUnits(amount, currency),
      at: isoTime(paidAt),
    }));
  },
];

/** What a request of a person changed: its id stands in the audit log. */
const changes: Way = [
  "owner",
  async ({ deps: { directory }, own, caller }, wanted) => {
    if (!/^[0-9a-f]{16}$/i.test(wanted)) return [];
    const databases = [directory, ...own.data.cells.map(({ db }) => db)];
    const request = wanted.toLowerCase();
    const entries = (await Promise.all(databases.map((db) => entriesOfRequest(db, request, MOST, caller.partnerId)))).flat();
    return entries.map(({ action, target, at }) => ({
      ...NOTHING_SAID,
      kind: "change",
      id: target,
      environment: null,
      title: action,
      at: isoTime(at),
    }));
  },
];

/** What a partner's account has, besides what is sold. */
export const ACCOUNT_WAYS: readonly Way[] = [statements, payouts, confirmations, keys, agents, people, changes];
