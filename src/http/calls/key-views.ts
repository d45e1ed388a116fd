import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { rejectInput } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import type { Deps } from "../../deps.ts";
import type { ListedKey } from "../../partners/admin/keys.ts";
import { findEmployee } from "../../partners/people/employees.ts";
import { rights } from "../../partners/permissions.ts";
import { oneLine } from "../one-line.ts";
import { endTimeField } from "./paging.ts";
import { conflict } from "./refusal.ts";

/** Rights as a request names them. */
export const rightList = z
  .array(z.enum(rights))
  .describe("The six permissions, and `owner`, which manages keys and people; no operation needs `owner`");

/** A key for its partner: never the key itself. */
export const ownKeyAnswer = z.object({
  key_id: z.string(),
  employee_id: z.string().nullable().describe("The person that it belongs to"),
  label: z.string(),
  permissions: rightList,
  hint: z.string().nullable().describe("Its last four characters"),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe("The hour of its last use"),
  expires_at: z.string().nullable().describe("When it ends by itself"),
  revoked_at: z.string().nullable(),
  state: z.enum(["active", "expired", "revoked", "disabled"]).describe("Whether it works; `disabled`: its person is disabled"),
  made_by: z.string().nullable().describe("The id of the person or the key that made it; null: support"),
});

/** The one state of a key that counts: why it does not work, or that it does. */
function stateOfKey({ revokedAt, expiresAt, employeeStatus }: ListedKey, now: number): z.input<typeof ownKeyAnswer>["state"] {
  if (revokedAt !== null) return "revoked";
  if (expiresAt !== null && expiresAt <= now) return "expired";
  return employeeStatus === "disabled" ? "disabled" : "active";
}

export function viewOwnKey(key: ListedKey, now: number): z.input<typeof ownKeyAnswer> {
  return {
    key_id: key.id,
    employee_id: key.employeeId,
    label: key.label,
    permissions: [...key.permissions],
    hint: key.hint,
    created_at: isoTime(key.createdAt),
    last_used_at: isoTimeOrNull(key.lastUsedAt),
    expires_at: isoTimeOrNull(key.expiresAt),
    revoked_at: isoTimeOrNull(key.revokedAt),
    state: stateOfKey(key, now),
    made_by: key.madeBy,
  };
}

/** The refusal of one key more. */
export const NO_ROOM_FOR_KEYS = `There are ${limits.live.keys} valid keys already. Revoke one first.`;

/** A new key, as a request describes it. */
export const newKeySchema = z.strictObject({
  label: oneLine(200).describe("What the key is for"),
  permissions: rightList,
  employee_id: z.string().nullish().describe("The person that it belongs to"),
  expires_at: endTimeField.optional().describe("When it expires: at the end of a date (UTC), or at a time; default never"),
});

/**
 * The key that a request asks for. @throws ServiceFailure `invalid_input` for an end in the past; CallRefusal for a
 * person whom the partner does not have.
 */
export async function newKeyOf({ directory, clock }: Deps, partnerId: string, body: z.output<typeof newKeySchema>) {
  const employeeId = body.employee_id ?? null;
  const employee = employeeId === null ? undefined : await findEmployee(directory, employeeId);
  if (employeeId !== null && employee?.partnerId !== partnerId) conflict(`${partnerId} has no person ${employeeId}.`);
  if (employee?.status === "disabled") conflict("This person is disabled, so the key would not work. Enable them first.");
  const expiresAt = body.expires_at ?? null;
  if (expiresAt !== null && expiresAt <= clock.now()) rejectInput("expires_at: must be in the future", "expires_at");
  return { partnerId, employeeId, label: body.label, permissions: body.permissions, expiresAt };
}
