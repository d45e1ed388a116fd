import * as z from "zod";
import type { Deps } from "../../../deps.ts";
import { issueKey, type ListedKey, listKeys, revokeKey, setPermissions } from "../../../partners/admin/keys.ts";
import { NO_ROOM_FOR_KEYS, newKeyOf, newKeySchema, ownKeyAnswer, rightList, viewOwnKey } from "../../calls/key-views.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { requirePartner } from "./partners.ts";

const keyAnswer = ownKeyAnswer.extend({ partner_id: z.string() });

const viewKey = (deps: Pick<Deps, "clock">, key: ListedKey) => ({ partner_id: key.partnerId, ...viewOwnKey(key, deps.clock.now()) });

const NO_KEY = "There is no such key. `keys list <partner>` shows a partner's keys.";

export const keyCalls = [
  defineCall({
    command: "keys list",
    method: "GET",
    path: "/ops/partners/{partner}/keys",
    role: "any",
    summary: "The keys of a partner, including revoked ones; never the keys themselves",
    query: z.object(pageQuery),
    answer: pageOf(keyAnswer),
    example: "acme",
    async run({ deps }, { params, query: { limit, cursor } }) {
      const partner = await requirePartner(deps, params.partner);
      const [after] = keyIn(cursor, textKey) ?? [""];
      return cutPage(
        await listKeys(deps.directory, partner.id, after, limit + 1),
        limit,
        (key) => viewKey(deps, key),
        ({ id }) => [id],
      );
    },
  }),
  defineCall({
    command: "keys issue",
    method: "POST",
    path: "/ops/partners/{partner}/keys",
    role: "admin",
    summary: "Issues an API key. It is only shown once: hand it over safely",
    body: newKeySchema,
    positional: ["label"],
    status: 201,
    answer: keyAnswer.extend({ key: z.string().describe("The key itself") }),
    example: 'acme "web shop" --permissions product_create payment_read',
    async run({ deps, actor }, { params, body }) {
      const partner = await requirePartner(deps, params.partner);
      const issued = await issueKey(deps, { ...(await newKeyOf(deps, partner.id, body)), madeBy: null }, actor);
      const { key, listed } = issued ?? conflict(NO_ROOM_FOR_KEYS);
      return { ...viewKey(deps, listed), key };
    },
  }),
  defineCall({
    command: "keys revoke",
    method: "POST",
    path: "/ops/keys/{key_id}/revoke",
    role: "admin",
    summary: "Revokes a key, from the next request on",
    irreversible: "A revoked key never works again.",
    answer: keyAnswer,
    example: "key_0123…",
    run: async ({ deps, actor }, { params }) => viewKey(deps, (await revokeKey(deps, params.key_id, actor)) ?? notFound(NO_KEY)),
  }),
  defineCall({
    command: "keys permit",
    method: "PUT",
    path: "/ops/keys/{key_id}/permissions",
    role: "admin",
    summary: "Replaces the permissions of a key, from the next request on",
    body: z.strictObject({ permissions: rightList }),
    answer: keyAnswer,
    example: "key_0123… --permissions product_create",
    async run({ deps, actor }, { params, body }) {
      const changed = (await setPermissions(deps, params.key_id, body.permissions, actor)) ?? notFound(NO_KEY);
      return changed === "changed_since" ? conflict("Another has just changed this key. Look at it again.") : viewKey(deps, changed);
    },
  }),
];
