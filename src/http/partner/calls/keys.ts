import * as z from "zod";
import { findListedKey, issueKey, type ListedKey, listKeys, revokeKey, setPermissions } from "../../../partners/admin/keys.ts";
import { makerOf } from "../../../partners/authenticate.ts";
import { endMade, madeBeyond, madeBy, narrowMade } from "../../../partners/made.ts";
import type { Right } from "../../../partners/permissions.ts";
import { NO_ROOM_FOR_KEYS, newKeyOf, newKeySchema, ownKeyAnswer, rightList, viewOwnKey } from "../../calls/key-views.ts";
import { andMade, madeAnswer, viewMade } from "../../calls/made-views.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { requireFreshPasskey } from "../access.ts";
import { definePartnerCall, type PartnerContext } from "../define-call.ts";
import { isWider, requireOwnRights } from "../own-rights.ts";

/**
 * The person that a new key belongs to. A key that is an owner belongs to its maker, and is one only as long as the maker is:
 * a right that is taken from a person lives on in no key. @throws CallRefusal 409 for a key with `owner` of another person.
 */
function holderOf({ signedIn }: PartnerContext, permissions: readonly Right[], wanted: string | null): string | null {
  if (!permissions.includes("owner") || signedIn === null) return wanted;
  if (wanted !== null && wanted !== signedIn.person.id)
    conflict("A key that is an owner belongs to you. Leave `employee_id` out, or `owner`.");
  return signedIn.person.id;
}

/** @throws CallRefusal 404 for another partner's key, as for an unknown one. */
async function requireKey({ deps, caller }: PartnerContext, id: string): Promise<ListedKey> {
  const found = await findListedKey(deps.directory, id);
  return found?.partnerId === caller.partnerId ? found : noKey();
}

const noKey = () => notFound("You have no such key. `GET /partner/keys` lists your keys.");

export const keyCalls = [
  definePartnerCall({
    command: "keys list",
    method: "GET",
    path: "/partner/keys",
    permission: "owner",
    summary: "Your keys, including revoked ones, with the hour of their last use; never the keys themselves",
    query: z.object(pageQuery),
    answer: pageOf(ownKeyAnswer),
    example: "",
    async run({ deps, caller }, { query: { limit, cursor } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      return cutPage(
        await listKeys(deps.directory, caller.partnerId, after, limit + 1),
        limit,
        (key) => viewOwnKey(key, deps.clock.now()),
        ({ id }) => [id],
      );
    },
  }),
  definePartnerCall({
    command: "keys create",
    method: "POST",
    path: "/partner/keys",
    permission: "owner",
    needsPasskey: true,
    summary: "Makes a key, with no more than your own permissions. It is only shown once",
    body: newKeySchema,
    positional: ["label"],
    status: 201,
    answer: ownKeyAnswer.extend({ key: z.string().describe("The key itself") }),
    example: '"web shop" --permissions product_create payment_read',
    async run(context, { body }) {
      const { deps, caller, actor } = context;
      requireOwnRights(caller, body.permissions);
      const employee_id = holderOf(context, body.permissions, body.employee_id ?? null);
      const wanted = { ...(await newKeyOf(deps, caller.partnerId, { ...body, employee_id })), madeBy: makerOf(caller.holder) };
      const { key, listed } = (await issueKey(deps, wanted, actor)) ?? conflict(NO_ROOM_FOR_KEYS);
      return { ...viewOwnKey(listed, deps.clock.now()), key };
    },
  }),
  definePartnerCall({
    command: "keys permit",
    method: "PUT",
    path: "/partner/keys/{key}/permissions",
    permission: "owner",
    summary: "Replaces the permissions of a key, from the next request on; with `and_made`, what the key made loses the same",
    body: z.strictObject({ permissions: rightList, and_made: andMade }),
    answer: ownKeyAnswer.extend({ made: madeAnswer.describe("What the key made that has a permission which the key has not") }),
    example: "key_0123… --permissions product_create",
    async run(context, { params, body }) {
      const { deps, caller, actor } = context;
      const known = await requireKey(context, params.key);
      if (known.revokedAt !== null) conflict("This key is revoked, and never works again. Make a new one.");
      requireOwnRights(caller, body.permissions, known.permissions);
      if (isWider(body.permissions, known.permissions)) requireFreshPasskey(context.signedIn, deps.clock);
      const isNewOwner = body.permissions.includes("owner") && !known.permissions.includes("owner");
      if (isNewOwner && context.signedIn?.person.id !== known.employeeId)
        conflict("A key that is an owner belongs to you. Make a new key with `owner` instead.");
      const changed = (await setPermissions(deps, known.id, body.permissions, actor, known.permissions)) ?? noKey();
      if (changed === "changed_since") return conflict("Another person has just changed this key. Look at it again.");
      const beyond = async () => madeBeyond(deps, await madeBy(deps, known.id, makerOf(caller.holder)), body.permissions);
      if (body.and_made) await narrowMade(deps, await beyond(), body.permissions, actor);
      return { ...viewOwnKey(changed, deps.clock.now()), made: viewMade(await beyond()) };
    },
  }),
  definePartnerCall({
    command: "keys revoke",
    method: "POST",
    path: "/partner/keys/{key}/revoke",
    permission: "owner",
    isBounded: true,
    summary: "Revokes a key, from the next request on; with `and_made`, also the keys that it made, and it disables the people it added",
    irreversible: "A revoked key never works again.",
    body: z.strictObject({ and_made: andMade }),
    answer: ownKeyAnswer.extend({ made: madeAnswer }),
    example: "key_0123…",
    async run(context, { params, body }) {
      const { deps, caller, actor } = context;
      const known = await requireKey(context, params.key);
      const revoked = (await revokeKey(deps, known.id, actor)) ?? noKey();
      if (body.and_made) await endMade(deps, await madeBy(deps, known.id, makerOf(caller.holder)), actor);
      return { ...viewOwnKey(revoked, deps.clock.now()), made: viewMade(await madeBy(deps, known.id, makerOf(caller.holder))) };
    },
  }),
];
