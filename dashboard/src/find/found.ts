import type { RowOf } from "../api/paths.ts";
import { type KindWithPage, pageOfKind } from "../objects/pages.ts";
import { moneyText } from "../shared/money-text.ts";
import { texts } from "../texts/index.ts";
import { ownLanguage } from "../texts/own-language.ts";

const { find: words } = texts;

/** In milliseconds: a search waits for the end of typing. */
export const TYPING = 250;
/** What can be searched for has as many characters at least, but for an amount. */
const LEAST = 3;

/** Whether a text is long enough to be searched for: `19` is an amount. */
export const isSearched = (text: string): boolean => text.length >= LEAST || /\d/.test(text);

/** What was found, that of the shown environment before that of the other one. */
export const shownFirst = <One extends Pick<Found, "environment">>(found: readonly One[], shown: Found["environment"]): One[] =>
  found.toSorted((one, other) => Number(isOther(one, shown)) - Number(isOther(other, shown)));

const isOther = ({ environment }: Pick<Found, "environment">, shown: Found["environment"]): boolean =>
  environment !== null && environment !== shown;

export type Found = RowOf<"/partner/find">;

/** Where the kinds stand that have no pages in both applications. */
const PAGES: Readonly<Record<Exclude<Found["kind"], KindWithPage>, (id: string) => string>> = {
  request: (id) => `/developers/requests/${id}`,
  statement: (id) => `/balance/statements/${id}`,
  payout: () => "/balance?tab=payouts",
  confirmation: (id) => `/developers/confirmations/${id}`,
  key: () => "/developers?tab=keys",
  agent: () => "/developers?tab=agents",
  person: () => "/team",
  change: (id) => `/team?tab=audit&target=${encodeURIComponent(id)}`,
};

const isOfPartner = (kind: Found["kind"]): kind is keyof typeof PAGES => kind in PAGES;

/** The page of a found object, in its own environment. */
export function pageOfFound({ kind, id, environment }: Found): string {
  const page = isOfPartner(kind) ? PAGES[kind](id) : (pageOfKind(kind, id) ?? "/");
  return environment === null ? page : `${page}${page.includes("?") ? "&" : "?"}env=${environment}`;
}

/** What an object is: its kind, its amount and what people call it. */
export function titleOfFound({ kind, id, title, amount, currency }: Found): string {
  const price = amount === null || currency === null ? null : moneyText(amount, currency);
  // What was changed is named by its action, which has its words where it is shown.
  const did: Readonly<Record<string, string>> = texts.audit.did;
  const named = kind === "change" && title !== null ? `${did[title] ?? title} · ${id}` : (title ?? id);
  return [words.kinds[kind], price, named].filter((part) => part !== null).join(" · ");
}

/** What is known of it besides: its environment where it has one, and what became of it, or its state. */
export function factsOfFound({ state, environment, summary }: Found): string {
  const said = summary?.[ownLanguage()] ?? texts.status[state ?? ""] ?? state;
  return [environment === null ? null : texts.environment[environment], said].filter((part) => part !== null).join(" · ");
}
