import * as z from "zod";
import { findProduct } from "../../catalogue/admin/store.ts";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { toMajorUnits } from "../../core/money.ts";
import type { Deps } from "../../deps.ts";
import { findPlatform } from "../../ledger/platform-transactions.ts";
import { findLink } from "../../links/admin/links.ts";
import { findOrder } from "../../orders/list.ts";
import { findListedKey } from "../../partners/admin/keys.ts";
import { findPartner } from "../../partners/admin/partners.ts";
import { findPromotionCodeRow } from "../../promotions/deactivate.ts";
import { type Found, inEachCell } from "../../story/found.ts";
import { findSubscription } from "../../subscriptions/list-subscriptions.ts";
import { readDeliveries } from "../../webhooks/admin/store.ts";
import { NOTHING_SAID, saidFields, sayCode, sayKey, sayLink, sayOrder, sayProduct, saySubscription } from "./said-of-found.ts";
import { storyDeps } from "./story-deps.ts";

/** An object that operators find, with what its list says of it. */
export const foundView = z.object({
  kind: z.string(),
  id: z.string(),
  partner_id: z.string().nullable(),
  environment: environmentSchema.nullable(),
  ...saidFields,
});

type Said = Pick<z.input<typeof foundView>, keyof typeof saidFields>;

/** What is said of a found object. Some D1 round trips, to each cell where an id alone names it. */
async function said(deps: Deps, { kind, id }: Found): Promise<Said> {
  const now = deps.clock.now();
  const sayRow = <Row>(row: Row | null | undefined, say: (row: Row) => Said): Said =>
    row === null || row === undefined ? NOTHING_SAID : say(row);
  switch (kind) {
    case "payment":
    case "bank_order":
      return sayRow((await inEachCell(storyDeps(deps), (db) => findOrder(db, id)))[0]?.row, sayOrder);
    case "payment_link":
      return sayRow((await findLink(deps, id))?.found, (row) => sayLink(row, now));
    case "subscription":
      return sayRow((await inEachCell(storyDeps(deps), (db) => findSubscription(db, id)))[0]?.row, saySubscription);
    case "promotion_code":
      return sayRow((await inEachCell(storyDeps(deps), (db) => findPromotionCodeRow(db, id)))[0]?.row, (row) => sayCode(row, now));
    case "product": {
      const [of = "", own = ""] = id.split("/");
      return sayRow(await findProduct(deps.directory, of === "ruble" ? "ruble" : "card", own), ({ row }) => sayProduct(row));
    }
    case "key":
      return sayRow(await findListedKey(deps.directory, id), (row) => sayKey(row, now));
    case "partner":
      return sayRow(await findPartner(deps.directory, id), ({ name, status, createdAt }) => ({
        ...NOTHING_SAID,
        title: name,
        state: status,
        at: isoTime(createdAt),
      }));
    case "event": {
      const [found] = await inEachCell(storyDeps(deps), async (db) => (await readDeliveries(db, [id]))[0]);
      return sayRow(found?.row, ({ name, state, createdAt }) => ({ ...NOTHING_SAID, title: name, state, at: isoTime(createdAt) }));
    }
    case "platform_transaction":
      return sayRow(await findPlatform(deps.directory, id), ({ type, amount, currency, at }) => ({
        title: type,
        state: null,
        currency,
        amount: toMajorUnits(amount, currency),
        at: isoTime(at),
      }));
    case "employee":
    case "grant":
    case "product_import":
    case "endpoint":
    case "request":
    case "change":
    case "movement":
      return NOTHING_SAID;
  }
}

/** Found objects with what is said of them. One out of reach says nothing, and is found all the same. */
export function viewFoundOf(deps: Deps, found: readonly Found[]): Promise<z.input<typeof foundView>[]> {
  return Promise.all(
    found.map(async (one) => {
      const { kind, id, partnerId, environment } = one;
      return { kind, id, partner_id: partnerId, environment, ...(await said(deps, one)) };
    }),
  );
}
