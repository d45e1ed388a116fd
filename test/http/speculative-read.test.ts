import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { newId } from "../../src/core/ids.ts";
import { connectDirectory } from "../../src/db/client.ts";
import { apiKeyPermissions, apiKeys } from "../../src/db/schema/index.ts";
import { hashApiKey } from "../../src/partners/api-key.ts";
import { permissions } from "../../src/partners/permissions.ts";
import { CART, call, cart, LIST } from "../support/api.ts";
import { aroundEffects, costs, countEffects, resetEffects } from "../support/observe.ts";
import { isConsuming } from "../support/old-messages.ts";
import { pay, quiet } from "../support/payments.ts";
import { deleteRows, updateRows } from "../support/tables.ts";

/** A request that only reads need not wait for its key's answer; what it finds does. */

afterEach(resetEffects);

const directory = connectDirectory(env.DIRECTORY);

/** A new key of acme's with these permissions. */
async function newKey(held: readonly string[] = permissions) {
  const key = crypto.randomUUID();
  const keyHash = await hashApiKey(key);
  await directory.insert(apiKeys).values({ keyHash, id: newId("key"), partnerId: "acme", label: "early", createdAt: 0 });
  for (const permission of held) await directory.insert(apiKeyPermissions).values({ keyHash, permission });
  return { key, keyHash };
}

it("is carried out while the key of a known caller is looked up", async () => {
  const { key } = await newKey();
  await call(LIST, {}, key);
  let started = 0;
  aroundEffects(async (effect, perform) => {
    if (effect !== "d1" || isConsuming()) return perform();
    started += 1;
    // Neither gets an answer before both have been sent.
    await vi.waitFor(() => expect(started).toBe(2));
    return perform();
  });
  expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
});

// interface K.8
it("is refused with a key that was revoked, or has lost its permission, since it was last seen", async () => {
  const revoked = await newKey();
  const weakened = await newKey();
  for (const { key } of [revoked, weakened]) expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
  await updateRows(apiKeys, { revoked_at: 1 }, { key_hash: revoked.keyHash });
  await deleteRows(apiKeyPermissions, { key_hash: weakened.keyHash });
  expect((await call(LIST, {}, revoked.key)).body).toMatchObject({ success: false, error_code: "INVALID_API_KEY" });
  // A refused key begins nothing any more.
  expect((await countEffects(() => call(LIST, {}, revoked.key))).counts).toEqual(costs({ d1: 1 }));
  expect((await call(LIST, {}, weakened.key)).body).toMatchObject({ success: false, error_code: "PERMISSION_DENIED" });
});

it("shows what the key's present partner has, and not what the one before has", async () => {
  const paid = await pay(["TestUsd1"]);
  await quiet();
  const { key, keyHash } = await newKey();
  const listed = async () => (await call(LIST, {}, key)).body.transactions.map((one: any) => one.payment_intent_id);
  expect(await listed()).toContain(paid.payment_intent);
  await updateRows(apiKeys, { partner_id: "globex" }, { key_hash: keyHash });
  expect(await listed()).toEqual([]);
  await updateRows(apiKeys, { partner_id: "acme" }, { key_hash: keyHash });
  expect(await listed()).toContain(paid.payment_intent);
});

it("begins nothing without the permission, nor with a wrong field, nor where something is created", async () => {
  const { key } = await newKey(["product_create"]);
  expect((await call(CART, cart(), key)).body).toMatchObject({ success: true });
  for (const ask of [() => call(LIST, {}, key), () => call(LIST, { limit: 0 }, key)]) {
    // The key; and afterwards the refused request, which is kept for its partner.
    expect((await countEffects(ask)).counts).toEqual(costs({ d1: 2 }));
  }
  await updateRows(apiKeys, { revoked_at: 1 });
  const { result, counts } = await countEffects(() => call(CART, cart(), key));
  expect(result.body).toMatchObject({ success: false });
  // The key; and afterwards the refused key, which is counted for operators.
  expect(counts).toEqual(costs({ d1: 2 }));
  await updateRows(apiKeys, { revoked_at: null });
});
