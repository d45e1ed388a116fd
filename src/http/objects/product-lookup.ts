import * as z from "zod";
import { findProduct, type Product } from "../../catalogue/admin/store.ts";
import type { Deps } from "../../deps.ts";
import { conflict, notFound } from "../calls/refusal.ts";

const kind = z.enum(["card", "ruble"]);

export const LINK_DISABLED = "Its first link at this price is disabled. `payment-links enable` enables it.";

/** How a path names a product. */
export const productPath = z.object({ kind, id: z.string().max(100) });

/** @throws CallRefusal 404 */
export async function requireProduct({ directory }: Pick<Deps, "directory">, of: z.output<typeof productPath>): Promise<Product> {
  return (await findProduct(directory, of.kind, of.id)) ?? notFound(`There is no ${of.kind} product ${of.id}.`);
}

export const seenField = {
  seen_revision: z
    .int()
    .optional()
    .describe("Only if it still has this `revision`: since it was read, its partner may have changed it, or another operator decided"),
};

/** @throws CallRefusal 409 if the product was changed or decided since it was seen */
export function requireSeen({ row }: Product, revision: number | undefined): void {
  // Its partner may have changed it between the look and the decision.
  if (revision === undefined && row.moderation === "in_review" && row.revision > 1)
    conflict(`It was changed since it was added. Say which state you have read: \`--seen_revision ${row.revision}\` is the present one.`);
  if (revision !== undefined && row.revision !== revision)
    conflict(`It was changed since, and is ${row.moderation.replace("_", " ")}. Look at it again.`);
}
