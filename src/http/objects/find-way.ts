import * as z from "zod";
import { environmentSchema, environments } from "../../core/environment.ts";
import type { NewestPage, OwnList } from "../../partners/list-of-all.ts";
import type { Right } from "../../partners/permissions.ts";
import type { findOwnNamed } from "../../story/own-story.ts";
import type { PartnerContext } from "../partner/define-call.ts";
import { summaryField } from "./rows.ts";
import { saidFields } from "./said-of-found.ts";

const kinds = [
  "order",
  "payment_link",
  "product",
  "promotion_code",
  "subscription",
  "event",
  "request",
  "statement",
  "payout",
  "confirmation",
  "key",
  "agent",
  "person",
  "change",
] as const;

/** An object of a partner that its search finds. */
export const foundView = z.object({
  kind: z.enum(kinds).describe("`change`: what a request changed, by the `request_id` of its answer; its id is that of the changed object"),
  id: z.string().describe("By which the calls of its kind name it"),
  environment: environmentSchema.nullable().describe("Null for what belongs to both"),
  ...saidFields,
  summary: summaryField.nullable().default(null).describe("What became of it, where a sentence says more than its state; null otherwise"),
});

export type Found = z.input<typeof foundView>;

/** Objects of one kind that are found at most. */
export const MOST = 10;

/** An object that an id, a reference, a token or a short address names. */
export type Named = Awaited<ReturnType<typeof findOwnNamed>>[number];

/** One way to find, and the right that its results need; null where each result is checked. */
export type Way = readonly [
  right: Right | null,
  find: (context: PartnerContext, wanted: string, named: readonly Named[], typed: string) => Promise<readonly Found[]>,
];

/** The ids of some kinds among what was named. */
export const idsOf = (named: readonly Named[], ...wanted: readonly Named["kind"][]): string[] =>
  named.flatMap(({ kind, id }) => (wanted.includes(kind) ? [id] : [])).slice(0, MOST);

/** Pages that one search reads of a list until it has found a row: each looks at 20,000 rows (`db/newest-page.ts`). */
const MOST_PAGES = 5;

/** Reads a page of one environment. */
type ReadPage<Row> = (list: OwnList & { readonly partnerId: string }) => Promise<NewestPage<Row>>;

/** The newest rows of both environments, at most {@link MOST} of each. */
export async function newestOfBoth<Row>(context: { readonly caller: { readonly partnerId: string } }, read: ReadPage<Row>): Promise<Row[]> {
  const { partnerId } = context.caller;
  const pages = environments.map(async (environment) => {
    const found: Row[] = [];
    let before: OwnList["before"];
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const { rows, next } = await read({ partnerId, environment, before, limit: MOST });
      found.push(...rows);
      if (found.length > 0 || next === null) break;
      before = next;
    }
    return found;
  });
  return (await Promise.all(pages)).flat();
}

/** Whether a text may be an id, or a reference, that was written in another case. Behind its prefix, an id may be of letters alone. */
export const mayBeId = (text: string): boolean => /^\S{6,128}$/.test(text) && /[\d_]/.test(text) && /[A-Za-z]/.test(text);
