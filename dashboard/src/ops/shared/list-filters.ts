import type { Filter } from "../../shared/filters.tsx";
import { texts } from "../../texts/index.ts";
import { words } from "../texts.ts";

/** Filters that several lists have. */
export const environmentFilter: Filter = {
  kind: "choice",
  name: "env",
  label: words.lists.environment,
  choices: ["live", "test"],
  fallback: "live",
};
export const partnerFilter: Filter = { kind: "text", name: "partner", label: words.lists.partner };
export const periodFilters: readonly Filter[] = [
  { kind: "date", name: "since", label: texts.list.since },
  { kind: "date", name: "until", label: texts.list.until },
];

/** The end of a list whose page could not be read. */
export const END = { data: [], next: null };
