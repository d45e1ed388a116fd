import { and, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import { type Environment, environments } from "../core/environment.ts";
import type { codeStates } from "../core/object-states.ts";
import { isOwnedBy, type OwnList } from "../db/newest-page.ts";
import { promotionCodes } from "../db/schema/promotions.ts";
import { countedAlone, defineSelections, type Whose } from "../db/selection.ts";

const { id, code, partnerId, environment, createdAt, deactivatedAt, expiresAt, percentOff } = promotionCodes;

const COLUMNS = {
  id,
  partnerId,
  environment,
  code,
  productIds: promotionCodes.productIds,
  percentOff,
  duration: promotionCodes.duration,
  durationInMonths: promotionCodes.durationInMonths,
  maxRedemptions: promotionCodes.maxRedemptions,
  expiresAt,
  createdAt,
  deactivatedAt,
  deactivatedReason: promotionCodes.deactivatedReason,
  recordId: promotionCodes.recordId,
  holder: promotionCodes.holder,
};

/** Which codes to list; without a field, all. */
export interface CodeFilter {
  readonly state?: { readonly wanted: (typeof codeStates)[number]; readonly now: number } | undefined;
  /** Only those that customers enter so, in any case. */
  readonly text?: string | undefined;
}

/** SQL for `stateOfCode` (core/object-states.ts). */
function isIn({ wanted, now }: NonNullable<CodeFilter["state"]>): SQL | undefined {
  return {
    active: and(isNull(deactivatedAt), or(isNull(expiresAt), gt(expiresAt, now))),
    expired: and(lte(expiresAt, now), or(isNull(deactivatedAt), lte(expiresAt, deactivatedAt))),
    disabled: and(isNotNull(deactivatedAt), or(isNull(expiresAt), gt(expiresAt, deactivatedAt))),
  }[wanted];
}

const conditionOf = ({ state }: CodeFilter): SQL | undefined => state && isIn(state);

/** SQL condition: the code is of these partners and environments, by the index that finds the fewest rows. A plus keeps SQLite from another. */
function isOf(owner: OwnList["partnerId"], wanted: readonly Environment[], { text }: CodeFilter): SQL | undefined {
  if (text === undefined) return and(isOwnedBy(partnerId, { partnerId: owner }), inArray(environment, [...wanted]));
  const isEntered = eq(code, text.toUpperCase());
  return and(isEntered, isOwnedBy(sql`+${partnerId}`, { partnerId: owner }), inArray(sql`+${environment}`, [...wanted]));
}

/** The list of promotion codes. `expires_at`: those that never expire come first. */
export const codeSelections = defineSelections({
  table: promotionCodes,
  id,
  createdAt,
  isOwn: ({ partnerId: owner, environment: only, filter }: Whose<CodeFilter>) =>
    isOf(owner, only === undefined ? environments : [only], filter),
  isFiltered: conditionOf,
  sorts: { created_at: sql`${createdAt}`, percent_off: sql`${percentOff}`, expires_at: sql`COALESCE(${expiresAt}, 0)` },
  columns: COLUMNS,
  ...countedAlone,
});
