import * as z from "zod";
import { lastEntriesOf } from "../../audit/audit-log.ts";
import { findProduct, type Product } from "../../catalogue/admin/store.ts";
import type { Deps } from "../../deps.ts";
import { conflict, notFound } from "../calls/refusal.ts";

const productKind = z.enum(["card", "ruble"]);

export const LINK_DISABLED = "Its first link at this price is disabled. `payment-links enable` enables it.";

/** How a path names a product. */
export const productPath = z.object({ kind: productKind, id: z.string().max(100) });

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

/**
 * A decision is about what was read. A product that its partner has changed since it was added is decided by the state that was read; one
 * that moderation alone has corrected needs none. @throws CallRefusal 409 if it was changed or decided since it was seen
 */
export async function requireSeen(
  { directory }: Pick<Deps, "directory">,
  { kind, row }: Product,
  revision: number | undefined,
): Promise<void> {
  if (revision === undefined && row.moderation === "in_review" && row.revision > 1) {
    const [submitted] = await lastEntriesOf(directory, [`${kind}/${row.id}`], ["product.submit"]);
    if (submitted !== undefined && submitted.at > row.createdAt)
      conflict(
        `Its partner changed it since it was added. Say which state you have read: \`--seen_revision ${row.revision}\` is the present one.`,
      );
  }
  if (revision !== undefined && row.revision !== revision)
    conflict(`It was changed since, and is ${row.moderation.replace("_", " ")}. Look at it again.`);
}

/** What is wrong with the terminal of a ruble product; null if the settings have it. */
export function terminalFault({ settings }: Pick<Deps, "settings">, terminal: string): string | null {
  const known = [...new Set(Object.values(settings.bank.terminals).flatMap((ofEnvironment) => Object.keys(ofEnvironment)))];
  return known.includes(terminal) ? null : `terminal: must be a terminal of BANK_TERMINALS: ${known.join(", ") || "it has none"}`;
}
