import { keepPreviousData } from "@tanstack/react-query";

/** A list keeps the page before until the next one is there. */
export const keepingPage = { placeholderData: keepPreviousData } as const;
