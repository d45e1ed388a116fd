import * as z from "zod";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { keyStates, stateOfKey } from "../../core/object-states.ts";
import type { Deps } from "../../deps.ts";
import { findListedKey, issueKey, type ListedKey, listKeys, revokeKey, setPermissions } from "../../partners/admin/keys.ts";
import { makerOf } from "../../partners/authenticate.ts";
import { endMade, madeBeyond, madeBy, narrowMade } from "../../partners/made.ts";
import { findEmployee } from "../../partners/people/employees.ts";
import type { Right } from "../../partners/permissions.ts";
import { summaryOfKey } from "../../summaries/of-objects.ts";
import { endOf, momentField } from "../calls/moments.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../calls/paging.ts";
import { conflict } from "../calls/refusal.ts";
import { oneLine } from "../one-line.ts";
import { requireFreshPasskey } from "../partner/access.ts";
import type { PartnerContext } from "../partner/define-call.ts";
import { isWider, requireOwnRights } from "../partner/own-rights.ts";
import { wire } from "../wire.ts";
import { type Asker, defineForBoth, defineForPartner } from "./define.ts";
import { andMade, madeAnswer, rightList, viewMade } from "./made.ts";
import { missing, ownerField, seenBy, summaryField, zoneOf } from "./rows.ts";

/** A key: never the key itself. */
const keyView = z.object({
  key_id: z.string(),
  employee_id: z.string().nullable().describe("The person that it belongs to"),
  label: z.string(),
  permissions: rightList,
  hint: z.string().nullable().describe("Its last four characters"),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe("The hour of its last use"),
  expires_at: z.string().nullable().describe("When it ends by itself"),
  revoked_at: z.string().nullable(),
  state: z.enum(keyStates).describe("Whether it works; `disabled`: its person, or the partner, is disabled"),
  made_by: z.string().nullable().describe("The id of the person or the key that made it; null: support"),
});

const listedKey = keyView.extend({ summary: summaryField });
const theKey = { key: z.string().describe("The key itself") };
const made = { made: madeAnswer };
const beyond = { made: madeAnswer.describe("What the key made that has a permission which the key has not") };

const fieldsOf = wire(keyView.extend(ownerField));

const viewKey = ({ clock }: Pick<Deps, "clock">, key: ListedKey) => ({
  ...fieldsOf(key),
  key_id: key.id,
  permissions: [...key.permissions],
  state: stateOfKey(key, clock.now()),
});

const newKeySchema = z.strictObject({
  label: oneLine(200).describe("What the key is for"),
  permissions: rightList,
  employee_id: z.string().nullish().describe("The person that it belongs to"),
  expires_at: momentField
    .optional()
    .describe("When it expires: at the end of a date in the partner's time zone, or at a time; default never"),
});

/**
 * The key that a request asks for. @throws ServiceFailure `invalid_input` for an end in the past; CallRefusal for a
 * person whom the partner does not have.
 */
async function newKeyOf(asker: Asker, partnerId: string, body: z.output<typeof newKeySchema>) {
  const { directory, clock } = asker.deps;
  const employeeId = body.employee_id ?? null;
  const employee = employeeId === null ? undefined : await findEmployee(directory, employeeId);
  if (employeeId !== null && employee?.partnerId !== partnerId) conflict(`${partnerId} has no person ${employeeId}.`);
  if (employee?.status === "disabled") conflict("This person is disabled, so the key would not work. Enable them first.");
  const expiresAt = body.expires_at === undefined ? null : endOf(body.expires_at, await zoneOf(asker, partnerId));
  if (expiresAt !== null && expiresAt <= clock.now()) rejectInput("expires_at: must be in the future", "expires_at");
  return { partnerId, employeeId, label: body.label, permissions: body.permissions, expiresAt };
}

/**
 * The person that a partner's new key belongs to. A key that is an owner belongs to its maker, and is one only as long as the maker is:
 * a right that is taken from a person lives on in no key. @throws CallRefusal 409 for a key with `owner` of another person.
 */
function holderOf({ signedIn }: PartnerContext, permissions: readonly Right[], wanted: string | null): string | null {
  if (!permissions.includes("owner") || signedIn === null) return wanted;
  if (wanted !== null && wanted !== signedIn.person.id)
    conflict("A key that is an owner belongs to you. Leave `employee_id` out, or `owner`.");
  return signedIn.person.id;
}

const NO_KEY = {
  partner: "You have no such key. `GET /partner/keys` lists your keys.",
  operator: "There is no such key. `keys list <partner>` shows a partner's keys.",
};

/** The key, if the asker may see it. @throws CallRefusal 404 */
const requireKey = async (asker: Asker, id: string) => seenBy(asker, await findListedKey(asker.deps.directory, id), NO_KEY);

/** What the key made, without the asker itself. */
const madeByKey = ({ deps, partner }: Asker, id: string) => madeBy(deps, id, partner === null ? null : makerOf(partner.caller.holder));

/** Refuses rights that a partner's caller may not give to this key. @throws CallRefusal 403, 409 */
function requireMayGive({ deps, partner }: Asker, known: ListedKey, wanted: readonly Right[]): void {
  if (known.revokedAt !== null) conflict("This key is revoked, and never works again. Make a new one.");
  if (partner === null) return;
  requireOwnRights(partner.caller, wanted, known.permissions);
  if (isWider(wanted, known.permissions)) requireFreshPasskey(partner.signedIn, deps.clock);
  const isNewOwner = wanted.includes("owner") && !known.permissions.includes("owner");
  if (isNewOwner && partner.signedIn?.person.id !== known.employeeId)
    conflict("A key that is an owner belongs to you. Make a new key with `owner` instead.");
}

export const keyCalls = [
  defineForPartner({
    query: z.object(pageQuery),
    partner: {
      command: "keys list",
      path: "/partner/keys",
      permission: "owner",
      summary: "Your keys, including revoked ones, with the hour of their last use; never the keys themselves",
      answer: pageOf(listedKey),
    },
    operator: {
      role: "any",
      summary: "The keys of a partner, including revoked ones; never the keys themselves",
      answer: pageOf(listedKey.extend(ownerField)),
      example: "acme",
    },
    async run({ asker, deps, partnerId }, { query: { limit, cursor } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      const found = await listKeys(deps.directory, partnerId, after, limit + 1);
      const zone = await zoneOf(asker, partnerId);
      return cutPage(
        found,
        limit,
        (key) => ({ ...viewKey(deps, key), summary: summaryOfKey({ ...key, state: stateOfKey(key, deps.clock.now()) }, zone) }),
        ({ id }) => [id],
      );
    },
  }),
  defineForPartner({
    method: "POST",
    body: newKeySchema,
    positional: ["label"],
    status: 201,
    partner: {
      command: "keys create",
      path: "/partner/keys",
      permission: "owner",
      needsPasskey: true,
      summary: "Makes a key, with no more than your own permissions. It is only shown once",
      answer: keyView.extend(theKey),
      example: '"web shop" --permissions product_create payment_read',
    },
    operator: {
      command: "keys issue",
      role: "admin",
      summary: "Issues an API key. It is only shown once: hand it over safely",
      answer: keyView.extend(ownerField).extend(theKey),
      example: 'acme "web shop" --permissions product_create payment_read',
    },
    async run({ deps, actor, asker, partnerId }, { body }) {
      const { partner } = asker;
      if (partner !== null) requireOwnRights(partner.caller, body.permissions);
      const employee_id = body.employee_id ?? null;
      const holder = partner === null ? employee_id : holderOf(partner, body.permissions, employee_id);
      const wanted = await newKeyOf(asker, partnerId, { ...body, employee_id: holder });
      const maker = partner === null ? null : makerOf(partner.caller.holder);
      const room = `There are ${limits.live.keys} valid keys already. Revoke one first.`;
      const { key, listed } = (await issueKey(deps, { ...wanted, madeBy: maker }, actor)) ?? conflict(room);
      return { ...viewKey(deps, listed), key };
    },
  }),
  defineForBoth({
    method: "PUT",
    body: z.strictObject({ permissions: rightList, and_made: andMade }),
    partner: {
      command: "keys permit",
      path: "/partner/keys/{key}/permissions",
      permission: "owner",
      summary: "Replaces the permissions of a key, from the next request on; with `and_made`, what the key made loses the same",
      answer: keyView.extend(beyond),
      example: "key_0123… --permissions product_create",
    },
    operator: { role: "admin", answer: keyView.extend(ownerField).extend(beyond) },
    async run(asker, { params, body: { permissions, and_made } }) {
      const { deps, actor } = asker;
      const known = await requireKey(asker, params.key);
      requireMayGive(asker, known, permissions);
      const changed = (await setPermissions(deps, known.id, permissions, actor, known.permissions)) ?? missing(asker, NO_KEY);
      if (changed === "changed_since") return conflict("Another person has just changed this key. Look at it again.");
      const left = async () => madeBeyond(deps, await madeByKey(asker, known.id), permissions);
      if (and_made) await narrowMade(deps, await left(), permissions, actor);
      return { ...viewKey(deps, changed), made: viewMade(await left()) };
    },
  }),
  defineForBoth({
    method: "POST",
    irreversible: "A revoked key never works again.",
    body: z.strictObject({ and_made: andMade }),
    partner: {
      command: "keys revoke",
      path: "/partner/keys/{key}/revoke",
      permission: "owner",
      isBounded: true,
      summary: "Revokes a key, from the next request on; with `and_made`, also the keys that it made, and it disables the people it added",
      answer: keyView.extend(made),
      example: "key_0123…",
    },
    operator: { role: "admin", answer: keyView.extend(ownerField).extend(made) },
    async run(asker, { params, body }) {
      const { deps, actor } = asker;
      const known = await requireKey(asker, params.key);
      const revoked = (await revokeKey(deps, known.id, actor)) ?? missing(asker, NO_KEY);
      if (body.and_made) await endMade(deps, await madeByKey(asker, known.id), actor);
      return { ...viewKey(deps, revoked), made: viewMade(await madeByKey(asker, known.id)) };
    },
  }),
];
