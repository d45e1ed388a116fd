import { sql } from "drizzle-orm";
import { type CellCode, cellCodeOf, newIdCode } from "../src/core/cell-code.ts";
import type { Environment } from "../src/core/environment.ts";
import type { Cell, Directory, Statement } from "../src/db/client.ts";
import { runBatch } from "../src/db/client.ts";
import { insertRows } from "../src/db/insert-rows.ts";
import { apiKeyPermissions, apiKeys, cardProducts, employees, partners, paymentLinks, rubleProducts } from "../src/db/schema/index.ts";
import { storedLines } from "../src/links/store.ts";
import { hashApiKey } from "../src/partners/api-key.ts";
import { permissions, rights } from "../src/partners/permissions.ts";

/** Partners, keys and products for local use. Keys and ids are fixed, so that clients and tests can rely on them. */

const CREATED = Date.UTC(2026, 0, 1);
const key = (letter: string, number: number) => `${letter}0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

interface FixtureKey {
  readonly key: string;
  readonly partnerId: string;
  readonly label: string;
  readonly permissions: readonly string[];
  readonly employeeId?: string;
  readonly revoked?: true;
}

export const fixtureKeys: readonly FixtureKey[] = [
  { key: key("a", 1), partnerId: "acme", label: "all permissions", permissions: rights },
  { key: key("a", 2), partnerId: "acme", label: "no permission", permissions: [] },
  { key: key("a", 3), partnerId: "acme", label: "revoked", permissions, revoked: true },
  { key: key("a", 4), partnerId: "acme", label: "employee disabled", permissions, employeeId: "acme_former" },
  ...permissions.map((permission, index) => ({
    key: key("a", 11 + index),
    partnerId: "acme",
    label: permission,
    permissions: [permission],
  })),
  { key: key("b", 1), partnerId: "globex", label: "all permissions", permissions: rights },
  { key: key("c", 1), partnerId: "initech", label: "partner disabled", permissions },
];

/** The person who signs in with the link that `npm run dev` prints. */
export const acmeOwner = "emp_acme_owner";

type CardProduct = Partial<typeof cardProducts.$inferInsert> & { processorProductId: string; currency: string; unitAmount: number };

const monthly = { type: "subscription", interval: "month", intervalCount: 1 };

const fixtureCardProducts: readonly CardProduct[] = [
  { processorProductId: "prod_acmeLiveUsd1", currency: "USD", unitAmount: 1900 },
  { processorProductId: "prod_acmeLiveUsd2", currency: "USD", unitAmount: 2900 },
  { processorProductId: "prod_acmeLiveUsd3", currency: "USD", unitAmount: 4900 },
  { processorProductId: "prod_acmeLiveEur1", currency: "EUR", unitAmount: 1700 },
  { processorProductId: "prod_acmeLiveGbp1", currency: "GBP", unitAmount: 1500 },
  { processorProductId: "prod_acmeLiveBrl1", currency: "BRL", unitAmount: 9900 },
  { processorProductId: "prod_acmeLiveMonthly1", currency: "USD", unitAmount: 900, ...monthly },
  { processorProductId: "prod_acmeLiveMonthly2", currency: "USD", unitAmount: 1200, ...monthly },
  { processorProductId: "prod_acmeLiveQuarterly", currency: "USD", unitAmount: 2500, ...monthly, intervalCount: 3 },
  { processorProductId: "prod_acmeLiveYearly", currency: "USD", unitAmount: 9000, ...monthly, interval: "year" },
  { processorProductId: "prod_acmeTestUsd1", currency: "USD", unitAmount: 1900, environment: "test" },
  { processorProductId: "prod_acmeTestUsd2", currency: "USD", unitAmount: 2900, environment: "test" },
  { processorProductId: "prod_acmeTestEur1", currency: "EUR", unitAmount: 1700, environment: "test" },
  { processorProductId: "prod_acmeTestMonthly", currency: "USD", unitAmount: 900, environment: "test", ...monthly },
  { processorProductId: "prod_acmeTestMonthly2", currency: "USD", unitAmount: 1200, environment: "test", ...monthly },
  { processorProductId: "prod_acmeTestYearly", currency: "USD", unitAmount: 9000, environment: "test", ...monthly, interval: "year" },
  { processorProductId: "prod_acmeDraft", currency: "USD", unitAmount: 1900, moderation: "in_review" },
  {
    processorProductId: "prod_acmeCorrupt",
    currency: "USD",
    unitAmount: 1900,
    type: "subscription",
    interval: "fortnightly",
    intervalCount: 1,
  },
  ...Array.from({ length: 60 }, (_, index) => ({
    processorProductId: `prod_acmeBulk${String(index + 1).padStart(2, "0")}`,
    currency: "USD",
    unitAmount: 1000,
  })),
  { processorProductId: "prod_globexLiveUsd1", currency: "USD", unitAmount: 1900, partnerId: "globex" },
];

const first = { terminal: "first", vat: "none" };

const fixtureRubleProducts: readonly (Pick<typeof rubleProducts.$inferInsert, "id" | "unitAmount"> &
  Partial<typeof rubleProducts.$inferInsert>)[] = [
  { id: 1001, unitAmount: 50_000, ...first },
  { id: 1002, unitAmount: 125_000, ...first },
  { id: 1003, unitAmount: 70_000, terminal: "second", vat: "none" },
  { id: 1004, unitAmount: 50_000, ...first, moderation: "in_review" },
  { id: 1005, unitAmount: 50_000, ...first, partnerId: "globex" },
  { id: 1006, unitAmount: 50_000, currency: "USD" },
  ...Array.from({ length: 101 }, (_, index) => ({ id: 1101 + index, unitAmount: 10_000, ...first })),
];

/** The cell of all partners, unless another is given. */
const CELL = cellCodeOf(1);

/** The cells of some partners, by their ids. */
export type Homes = Readonly<Record<string, CellCode>>;

/** The first link of a product, created by moderation. It exists in the catalogue and at the sandbox's processor. */
export const firstLink = {
  id: "plink_acmeLiveUsd1First",
  slug: `${CELL}acmeLiveUsd1First`,
  priceId: "price_acmeLiveUsd1First",
  productId: "prod_acmeLiveUsd1",
  unitAmount: 1900,
};

/** The name of a card product of the fixtures, for people: `Acme Test USD 1` of `prod_acmeTestUsd1`. */
export function fixtureNameOf(productId: string): string {
  const words = productId.replace("prod_", "").replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1).replace(/\b(?:Usd|Eur)\b/, (currency) => currency.toUpperCase());
}

/** The environment of a card product of the fixtures; undefined for any other. */
export function fixtureEnvironmentOf(productId: string): Environment | undefined {
  const product = fixtureCardProducts.find(({ processorProductId }) => processorProductId === productId);
  return product && (product.environment ?? "live");
}

/**
 * Loads the fixtures into empty databases and never changes others. `cell`: acme's cell. @returns whether it loaded
 * them.
 */
export async function loadFixtures(
  { directory, cell }: { readonly directory: Directory; readonly cell: Cell },
  sandboxOrigin: string,
  homes: Homes = {},
): Promise<boolean> {
  const present = await directory.select({ count: sql<number>`count(*)` }).from(partners).get();
  if (present !== undefined && present.count > 0) return false;
  // Partners come last: an interrupted run starts again.
  await runBatch(cell, [insertFirstLink(cell, sandboxOrigin)]);
  await runBatch(directory, await directoryStatements(directory, homes));
  return true;
}

async function directoryStatements(db: Directory, homes: Homes): Promise<Statement[]> {
  const keys = await Promise.all(fixtureKeys.map(rowOf));
  const allowed = keys.flatMap(({ keyHash }, index) =>
    (fixtureKeys[index]?.permissions ?? []).map((permission) => ({ keyHash, permission })),
  );
  const approved = { moderation: "approved", createdAt: CREATED, updatedAt: CREATED } as const;
  return [
    db.insert(partners).values([
      { id: "acme", name: "Acme", ...placed("acme", homes), createdAt: CREATED },
      { id: "globex", name: "Globex", ...placed("globex", homes), createdAt: CREATED },
      { id: "initech", name: "Initech", ...placed("initech", homes), status: "disabled", createdAt: CREATED },
    ]),
    db.insert(employees).values([
      { id: "acme_former", partnerId: "acme", name: "A former employee", status: "disabled", createdAt: CREATED },
      { id: acmeOwner, partnerId: "acme", name: "Acme's owner", rights: JSON.stringify(rights), createdAt: CREATED },
    ]),
    insertRows(db, apiKeys, keys),
    insertRows(db, apiKeyPermissions, allowed),
    insertRows(
      db,
      cardProducts,
      fixtureCardProducts.map((product) => ({
        id: product.processorProductId.replace("prod_", "card_"),
        partnerId: "acme",
        environment: "live" as const,
        name: product.processorProductId.replace("prod_", ""),
        type: "one_time",
        ...approved,
        ...product,
      })),
    ),
    insertRows(
      db,
      rubleProducts,
      fixtureRubleProducts.map((product) => ({
        partnerId: "acme",
        name: `Товар ${product.id}`,
        currency: "RUB",
        ...approved,
        ...product,
      })),
    ),
  ];
}

function placed(partner: string, homes: Homes) {
  const cell = homes[partner] ?? CELL;
  return { cell, idCode: newIdCode(cell) };
}

function insertFirstLink(db: Cell, sandboxOrigin: string): Statement {
  const { id, slug, productId, priceId, unitAmount } = firstLink;
  return db
    .insert(paymentLinks)
    .values({
      id,
      partnerId: "acme",
      environment: "live",
      source: "moderation",
      currency: "USD",
      mode: "one_time",
      url: `${sandboxOrigin}/checkout/${id}`,
      items: storedLines([{ productId, priceId, unitAmount, quantity: 1, name: "Example course" }]),
      slug,
      createdAt: CREATED,
    })
    .onConflictDoNothing();
}

async function rowOf({ key: secret, partnerId, label, employeeId, revoked }: FixtureKey): Promise<typeof apiKeys.$inferInsert> {
  return {
    keyHash: await hashApiKey(secret),
    id: `key_${secret.slice(0, 1)}${Number(secret.slice(-12))}`,
    partnerId,
    employeeId: employeeId ?? null,
    label,
    createdAt: CREATED,
    revokedAt: revoked ? CREATED : null,
    hint: secret.slice(-4),
  };
}
