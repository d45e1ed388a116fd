import {
  auditFirstLink,
  type CardProductValues,
  ChangedByAnother,
  changeProduct,
  type IdTaken,
  moderateProduct,
  type ProductAdminDeps,
} from "../catalogue/admin/products.ts";
import { findProduct, type Product } from "../catalogue/admin/store.ts";
import { parseCardProduct } from "../catalogue/card-products.ts";
import { parseRubleProduct } from "../catalogue/ruble-products.ts";
import type { CardProductRow } from "../catalogue/store.ts";
import type { Actor } from "../core/actor.ts";
import { CallBudget } from "../core/call-budget.ts";
import { SECOND } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { limits } from "../core/limits.ts";
import type { FindAnywhere } from "../db/find-row.ts";
import type { PartnerData } from "../db/partner-data.ts";
import type { KeyActors } from "../idempotency/client.ts";
import { disableLink, findLink, type LinkAdminDeps } from "../links/admin/links.ts";
import { findLinkState } from "../links/store.ts";
import type { PartnerLocation } from "../partners/read-location.ts";
import type { Processor } from "../processor/port.ts";
import { createFirstLink, type FirstLink } from "./first-link.ts";

export interface ModerationDeps extends ProductAdminDeps {
  readonly ofPartner: (location: PartnerLocation) => { readonly data: PartnerData };
  readonly keyActors: KeyActors;
  readonly findAnywhere: FindAnywhere<LinkAdminDeps>;
  processor(environment: Environment): Processor;
}

/** The results of an approval. */
export interface Approved {
  readonly product: Product;
  readonly firstLink: FirstLink | null;
}

/**
 * Approves a product. A card product is created at the processor, unless it names one, and gets its first link if
 * requested. The approval itself comes last, so an incomplete product is never for sale; each earlier step happens
 * once, even if the call is repeated. `link_disabled`: its first link exists and was disabled, so the product stays
 * unchanged.
 * @throws ServiceFailure from the processor; `product_damaged` if the stored product cannot be sold.
 */
export async function approveProduct(
  deps: ModerationDeps,
  product: Product,
  location: PartnerLocation,
  wantsFirstLink: boolean,
  actor: Actor,
): Promise<Approved | "link_disabled"> {
  if (product.kind === "ruble") {
    parseRubleProduct(product.row);
    return { product: await moderateProduct(deps, product, "approved", actor), firstLink: null };
  }
  const startedAt = deps.clock.now();
  const { row } = product;
  const processorProductId = row.processorProductId ?? processorIdOf(row);
  const sold = parseCardProduct({ ...row, processorProductId }, { productId: row.id, field: "id" });
  const { name, description } = row;
  if (row.processorProductId === null) {
    await deps.processor(sold.environment).createProduct({ id: processorProductId, name, description }, { budget: deadlineOf(deps) });
  }
  const owner = { partnerId: row.partnerId, ...location };
  const firstLink = wantsFirstLink ? await createFirstLink(deps, owner, row.id, sold, row.unitAmount, actor) : null;
  if (firstLink !== null) {
    const { paymentLinkId } = firstLink;
    const found = await deps.ofPartner(location).data.each(({ db }) => findLinkState(db, paymentLinkId));
    if (found.some((link) => typeof link?.disabledAt === "number")) return "link_disabled";
    await auditFirstLink(deps, product, firstLink.paymentLinkId, actor);
  }
  const more = row.processorProductId === null ? { processorProductId } : {};
  try {
    return { product: await moderateProduct(deps, product, "approved", actor, more), firstLink };
  } catch (thrown) {
    if (thrown instanceof ChangedByAnother && firstLink !== null) await takeBack(deps, row, firstLink.paymentLinkId, startedAt, actor);
    throw thrown;
  }
}

/**
 * Disables the link that an approval has made, because another operator rejected the product in the meantime or changed what it
 * costs. A link from before `startedAt` stays, as it does with any rejection.
 */
async function takeBack(deps: ModerationDeps, offered: CardProductRow, linkId: string, startedAt: number, actor: Actor): Promise<void> {
  const current = await findProduct(deps.directory, "card", offered.id);
  if (current?.kind === "card" && current.row.moderation === "approved" && SOLD.every((name) => current.row[name] === offered[name]))
    return;
  const link = await findLink(deps, linkId);
  if (link !== null && link.found.createdAt >= startedAt) await disableLink(link.cell, link.found, "operator", actor);
}

/** What a link sells of a product. */
const SOLD = ["currency", "unitAmount", "type", "interval", "intervalCount"] as const;

/** The id of a product at the processor. It is derived from our id, so a repeat creates no second product. */
function processorIdOf({ id }: CardProductRow): string {
  return `prod_${id.replace(/^card_/, "")}`;
}

type CardChange = Partial<Omit<CardProductValues, "environment" | "type">>;

/**
 * Corrects a product. Existing links keep their price. For a product that exists at the processor, the fields that
 * customers see are changed there first.
 * @throws ServiceFailure from the processor.
 */
export async function correctProduct(
  deps: ModerationDeps,
  product: Product,
  change: CardChange & Parameters<typeof changeProduct>[2],
  actor: Actor,
): Promise<Product | IdTaken> {
  const { kind, row } = product;
  const isShown = kind === "card" && row.processorProductId !== null && (change.name !== undefined || change.description !== undefined);
  if (isShown) {
    const { processorProductId: id, environment } = row;
    const { name, description } = change;
    const shown = { id: id ?? "", ...(name === undefined ? {} : { name }), ...(description === undefined ? {} : { description }) };
    await deps.processor(environment).changeProduct(shown, { budget: deadlineOf(deps) });
  }
  return changeProduct(deps, product, change, actor);
}

function deadlineOf({ clock }: ModerationDeps): CallBudget {
  return new CallBudget(clock, limits.upstream.seconds * SECOND);
}
