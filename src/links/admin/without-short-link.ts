import * as z from "zod";
import { parseJson } from "../../core/json.ts";
import type { Cell } from "../../db/client.ts";
import { recordsWithoutShortLink } from "../../idempotency/find-records.ts";
import { LINK_STEP } from "../make-link.ts";

const progressSchema = z.object({ steps: z.object({ [LINK_STEP]: z.object({ id: z.string() }) }) });

/** Payment links of a cell that lack their short link, longest waiting first, after a given one. `since`: the time of its request. */
export async function listWaitingLinks(db: Cell, after: { readonly begunAt: number; readonly id: string }, limit: number) {
  const records = await recordsWithoutShortLink(db, after, limit);
  return records.map(({ id, partnerId, operation, progress, begunAt }) => ({
    recordId: id,
    paymentLinkId: parseJson(progressSchema, progress).steps[LINK_STEP].id,
    partnerId,
    operation,
    since: begunAt,
  }));
}
