import { keepPreviousData } from "@tanstack/react-query";
import { PAGE_SIZE } from "../../shared/paged-list.tsx";
import { useSearchTexts } from "./address.ts";

/** What the address says of a list: its environment, its page, and the filters with these names. */
export function useListSearch(names: readonly string[], partner: string | undefined) {
  const search = useSearchTexts();
  const filter = Object.fromEntries(
    [...names, ...(partner === undefined ? ["partner"] : [])].flatMap((name) => {
      const value = search[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const environment = search.env === "test" ? ("test" as const) : ("live" as const);
  return { query: { environment, ...(partner === undefined ? {} : { partner }), ...filter, limit: PAGE_SIZE }, cursor: search.cursor };
}

/** A list keeps the page before until the next one is there. */
export const keepingPage = { placeholderData: keepPreviousData } as const;
