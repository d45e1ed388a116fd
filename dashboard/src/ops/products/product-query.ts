import type { Filter } from "../../shared/filters.tsx";
import type { Texts } from "../../shared/search-texts.ts";
import { texts } from "../../texts/index.ts";
import { wordsOfValue } from "../calls/names.ts";
import { words } from "../texts.ts";

const { products: own } = words;

const states = ["in_review", "approved", "rejected", "decided"] as const;
const kinds = ["card", "ruble"] as const;

/** The filters of products. They stand in the address under the names of the query. */
export const productFilters: readonly Filter[] = [
  { kind: "text", name: "name", label: texts.common.name },
  { kind: "text", name: "partner", label: texts.list.partner },
  { kind: "choice", name: "moderation", label: own.state, choices: states, words: { decided: words.moderation.decided } },
  { kind: "choice", name: "flagged", label: own.flagged, choices: ["true"], words: { true: own.onlyFlagged } },
  {
    kind: "choice",
    name: "kind",
    label: texts.common.kind,
    choices: kinds,
    words: { card: wordsOfValue("card"), ruble: wordsOfValue("ruble") },
  },
];

/** The query of a page of products, from the address. What the list does not take is left out. */
export function productQuery({ name, partner, moderation, flagged, kind, currency, amount_from, amount_to, cursor }: Texts) {
  return {
    name: name === "" ? undefined : name,
    partner: partner === "" ? undefined : partner,
    moderation: states.find((state) => state === moderation),
    flagged: flagged === "true" ? ("true" as const) : undefined,
    kind: kinds.find((one) => one === kind),
    currency,
    amount_from: numberIn(amount_from),
    amount_to: numberIn(amount_to),
    cursor,
  };
}

/** A text that is no number is sent as NaN, which the Worker refuses at its field. */
function numberIn(text: string | undefined): number | undefined {
  return text === undefined || text === "" ? undefined : Number(text);
}
