import {
  auditFirstLink,
  type CardProductValues,
  ChangedByAnother,
  changeProduct,
  type IdTaken,
  moderateProduct,
} from "../catalogue/admin/products.ts";
import { findProduct, type Product } from "../catalogue/admin/store.ts";
import { parseCardProduct, type CardProduct as SoldProduct } from "../catalogue/card-products.ts";
import { parseRubleProduct } from "../catalogue/ruble-products.ts";
import { type CardProductRow, processorIdOf } from "../catalogue/store.ts";
import type { Actor } from "../core/actor.ts";
import { upstreamBudget } from "../core/call-budget.ts";
import type { Environment } from "../core/environment.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { InDirectory } from "../db/client.ts";
import type { FindAnywhere } from "../db/find-row.ts";
import type { PartnerData } from "../db/partner-data.ts";
import type { KeyActors } from "../idempotency/client.ts";
import { disableLink, findLink, findLinkRow, type LinkAdminDeps } from "../links/admin/links.ts";
import type { PartnerLocation } from "../partners/read-location.ts";
import type { Processor } from "../processor/processor.ts";
import { createFirstLink, type FirstLink } from "./first-link.ts";

export interface ModerationDeps extends InDirectory {
  readonly ofPartner: (location: PartnerLocation) => { readonly data: PartnerData };
  readonly keyActors: KeyActors;
  readonly findAnywhere: FindAnywhere<LinkAdminDeps>;
  readonly log: Log;
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
  const processorProductId = processorIdOf(row);
  const sold = parseCardProduct({ ...row, processorProductId }, { productId: row.id, field: "id" });
  const { name, description } = row;
  if (row.processorProductId === null) {
    await deps
      .processor(sold.environment)
      .createProduct({ id: processorProductId, name, description }, { budget: upstreamBudget(deps.clock) });
  }
  const firstLink = wantsFirstLink ? await makeFirstLink(deps, product, sold, location, actor) : null;
  if (firstLink === "link_disabled") return firstLink;
  const more = row.processorProductId === null ? { processorProductId } : {};
  try {
    return { product: await moderateProduct(deps, product, "approved", actor, more), firstLink };
  } catch (thrown) {
    if (thrown instanceof ChangedByAnother && firstLink !== null && !(await isOffered(deps, row)))
      await takeBack(deps, firstLink.paymentLinkId, startedAt, actor);
    throw thrown;
  }
}

type CardProduct = Extract<Product, { kind: "card" }>;

/** The first link of a card product at its present price, with its audit entry. `link_disabled`: a person disabled it. */
async function makeFirstLink(deps: ModerationDeps, product: CardProduct, sold: SoldProduct, location: PartnerLocation, actor: Actor) {
  const { row } = product;
  const made = await createFirstLink(deps, { partnerId: row.partnerId, ...location }, row.id, sold, row.unitAmount, actor);
  const found = await deps.ofPartner(location).data.each(({ db }) => findLinkRow(db, made.paymentLinkId));
  if (found.some((link) => typeof link?.disabledAt === "number")) return "link_disabled";
  await auditFirstLink(deps, product, made.paymentLinkId, actor);
  return made;
}

/**
 * The link of an approved card product at its present price: a new one after a change of the price, once per price. Links at
 * former prices stay. `not_sold`: it is not approved.
 * @throws ServiceFailure from the processor; `product_damaged`; ChangedByAnother if the product was rejected or changed in the
 * meantime: then a link that this call made is disabled.
 */
export async function linkAtPrice(
  deps: ModerationDeps,
  product: CardProduct,
  location: PartnerLocation,
  actor: Actor,
): Promise<FirstLink | "link_disabled" | "not_sold"> {
  const { row } = product;
  if (row.moderation !== "approved" || row.processorProductId === null) return "not_sold";
  const startedAt = deps.clock.now();
  const sold = parseCardProduct(row, { productId: row.id, field: "id" });
  const link = await makeFirstLink(deps, product, sold, location, actor);
  if (link === "link_disabled" || (await isOffered(deps, row))) return link;
  await takeBack(deps, link.paymentLinkId, startedAt, actor);
  throw new ChangedByAnother(`the product card/${row.id} was changed in the meantime`);
}

/** Whether a product is still for sale as it was read. */
async function isOffered({ directory }: ModerationDeps, offered: CardProductRow): Promise<boolean> {
  const current = await findProduct(directory, "card", offered.id);
  return current?.kind === "card" && current.row.moderation === "approved" && SOLD.every((name) => current.row[name] === offered[name]);
}

/** Disables a link that was made for a product which is no longer offered so. A link from before `startedAt` stays. */
async function takeBack(deps: ModerationDeps, linkId: string, startedAt: number, actor: Actor): Promise<void> {
  const link = await findLink(deps, linkId);
  if (link !== null && link.found.createdAt >= startedAt) await disableLink(link.cell, link.found, { by: "operator" }, actor);
}

/** What a link sells of a product. */
const SOLD = ["currency", "unitAmount", "type", "interval", "intervalCount"] as const;

type CardChange = Partial<Omit<CardProductValues, "environment" | "type">>;

/**
 * Corrects a product. Existing links keep their price. For a product that exists at the processor, the fields that customers see are
 * changed there first; of two corrections at once the later one is refused, and what it changed there is taken back as far as the processor
 * answers.
 * @throws ServiceFailure from the processor; ChangedByAnother
 */
export async function correctProduct(
  deps: ModerationDeps,
  product: Product,
  change: CardChange & Parameters<typeof changeProduct>[2],
  actor: Actor,
): Promise<Product | IdTaken> {
  const { kind, row } = product;
  const isShown = kind === "card" && row.processorProductId !== null && (change.name !== undefined || change.description !== undefined);
  if (!isShown) return changeProduct(deps, product, change, actor);
  const show = ({ name, description }: Pick<CardChange, "name" | "description">) => {
    const shown = {
      id: row.processorProductId ?? "",
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
    };
    return deps.processor(row.environment).changeProduct(shown, { budget: upstreamBudget(deps.clock) });
  };
  await show(change);
  try {
    return await changeProduct(deps, product, change, actor);
  } catch (thrown) {
    if (thrown instanceof ChangedByAnother) await showAsItIs(deps, row.id, show);
    throw thrown;
  }
}

/** Shows customers the stored name and description of a product. A failure is only logged: the caller must learn of the refusal. */
async function showAsItIs(
  { directory, log }: ModerationDeps,
  id: CardProductRow["id"],
  show: (row: CardProductRow) => Promise<unknown>,
): Promise<void> {
  try {
    const current = await findProduct(directory, "card", id);
    if (current?.kind === "card") await show(current.row);
  } catch (thrown) {
    log.error("name of a product not taken back", { product: id, ...errorFields(thrown) });
  }
}
