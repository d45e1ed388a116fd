import type { CallBudget } from "../core/call-budget.ts";
import { SECOND } from "../core/clock.ts";
import { callProcessor, MAX_READ_ATTEMPTS } from "./calls.ts";

const MAX_PER_PAGE = 100;

interface PageParams {
  readonly created: { readonly gte: number; readonly lte: number };
  readonly limit: number;
  readonly starting_after?: string;
}

/** A page of one of the processor's lists. */
export interface Page<Thing> {
  readonly data: readonly Thing[];
  readonly has_more: boolean;
}

/**
 * Lists the objects that were created at the processor between two times (Unix milliseconds; the processor counts in
 * seconds), newest first, page by page, at most `limit` entries.
 */
export async function listCreatedBetween<Thing extends { readonly id: string }>(
  { from, to, limit, budget }: { from: number; to: number; limit: number; budget: CallBudget },
  list: (params: PageParams, timeout: number) => Promise<Page<Thing>>,
): Promise<Thing[]> {
  const created = { gte: Math.floor(from / SECOND), lte: Math.floor(to / SECOND) };
  const found: Thing[] = [];
  while (found.length < limit) {
    const last = found.at(-1);
    const params = {
      created,
      limit: Math.min(MAX_PER_PAGE, limit - found.length),
      ...(last === undefined ? {} : { starting_after: last.id }),
    };
    const page = await callProcessor(budget, (timeout) => list(params, timeout), MAX_READ_ATTEMPTS);
    found.push(...page.data);
    if (!page.has_more || page.data.length === 0) break;
  }
  return found;
}
