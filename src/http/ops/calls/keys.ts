import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { rejectInput } from "../../../core/errors.ts";
import { issueKey, type ListedKey, listKeys, revokeKey, setPermissions } from "../../../partners/admin/keys.ts";
import { findEmployee } from "../../../partners/admin/partners.ts";
import { permissions } from "../../../partners/permissions.ts";
import { cutPage, endTimeField, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { requirePartner } from "./partners.ts";

const permissionList = z.array(z.enum(permissions)).describe("What the key may do");

const keyAnswer = z.object({
  key_id: z.string(),
  partner_id: z.string(),
  employee_id: z.string().nullable(),
  label: z.string(),
  permissions: permissionList,
  hint: z.string().nullable().describe("Its last four characters"),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe("The hour of its last use"),
  expires_at: z.string().nullable().describe("When it ends by itself"),
  revoked_at: z.string().nullable(),
});

const timeOrNull = (at: number | null) => (at === null ? null : isoTime(at));

const viewKey = (key: ListedKey) => ({
  key_id: key.id,
  partner_id: key.partnerId,
  employee_id: key.employeeId,
  label: key.label,
  permissions: [...key.permissions],
  hint: key.hint,
  created_at: isoTime(key.createdAt),
  last_used_at: timeOrNull(key.lastUsedAt),
  expires_at: timeOrNull(key.expiresAt),
  revoked_at: timeOrNull(key.revokedAt),
});

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
      return cutPage(await listKeys(deps.directory, partner.id, after, limit + 1), limit, viewKey, ({ id }) => [id]);
    },
  }),
  defineCall({
    command: "keys issue",
    method: "POST",
    path: "/ops/partners/{partner}/keys",
    role: "admin",
    summary: "Issues an API key. It is only shown once: hand it over safely",
    body: z.strictObject({
      label: z.string().trim().min(1, "must not be empty").max(200).describe("What the key is for"),
      permissions: permissionList,
      employee_id: z.string().nullish().describe("The person that it belongs to"),
      expires_at: endTimeField.optional().describe("When it expires: at the end of a date (UTC), or at a time; default never"),
    }),
    positional: ["label"],
    status: 201,
    answer: keyAnswer.extend({ key: z.string().describe("The key itself") }),
    example: 'acme "web shop" --permissions product_create payment_read',
    async run({ deps, actor }, { params, body }) {
      const partner = await requirePartner(deps, params.partner);
      const employeeId = body.employee_id ?? null;
      const employee = employeeId === null ? undefined : await findEmployee(deps.directory, employeeId);
      if (employeeId !== null && employee?.partnerId !== partner.id) conflict(`${partner.id} has no person ${employeeId}.`);
      const expiresAt = body.expires_at ?? null;
      if (expiresAt !== null && expiresAt <= deps.clock.now()) rejectInput("expires_at: must be in the future", "expires_at");
      const wanted = { partnerId: partner.id, employeeId, label: body.label, permissions: body.permissions, expiresAt };
      const { key, listed } = await issueKey(deps, wanted, actor);
      return { ...viewKey(listed), key };
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
    run: async ({ deps, actor }, { params }) => viewKey((await revokeKey(deps, params.key_id, actor)) ?? notFound(NO_KEY)),
  }),
  defineCall({
    command: "keys permit",
    method: "PUT",
    path: "/ops/keys/{key_id}/permissions",
    role: "admin",
    summary: "Replaces the permissions of a key, from the next request on",
    body: z.strictObject({ permissions: permissionList }),
    answer: keyAnswer,
    example: "key_0123… --permissions product_create",
    run: async ({ deps, actor }, { params, body }) =>
      viewKey((await setPermissions(deps, params.key_id, body.permissions, actor)) ?? notFound(NO_KEY)),
  }),
];
