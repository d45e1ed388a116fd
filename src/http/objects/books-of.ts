import * as z from "zod";
import type { StatementsOf } from "../../books/statements.ts";
import { readTerms } from "../../books/terms.ts";
import { rejectInput } from "../../core/errors.ts";
import type { Asker } from "./define.ts";
import { ownDeps, zoneOf } from "./rows.ts";

/** What operators say: whose books. */
export const ofPartner = { partner: z.string().describe("Whose") };

/** Whose books an asker means: its own, or those of the partner that an operator names. */
export const ownerOf = ({ partner }: Asker, named: string | undefined): string =>
  partner?.caller.partnerId ?? named ?? rejectInput("partner: say whose", "partner");

/** The books of a partner: the asking one's own, or those of the partner that an operator names. @throws CallRefusal 404 */
export async function booksOf(asker: Asker, partnerId: string): Promise<StatementsOf> {
  const { data, db } = await ownDeps(asker, partnerId);
  return { partnerId, data, db, terms: await readTerms(db, partnerId), timeZone: await zoneOf(asker, partnerId) };
}
