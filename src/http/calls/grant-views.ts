import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { environments } from "../../core/environment.ts";
import type { Grant } from "../../grants/store.ts";
import { permissions } from "../../partners/permissions.ts";

/** A grant to a signed-in agent, for its partner. */
export const grantAnswer = z.object({
  grant_id: z.string(),
  key_id: z.string().describe("The pasted key; the grant ends with it"),
  client_name: z.string().describe("The name that the agent's host gives itself"),
  client_id: z.string(),
  permissions: z.array(z.enum(permissions)),
  environments: z.array(z.enum(environments)),
  created_at: z.string(),
  last_used_at: z.string().nullable().describe("To the minute"),
  expires_at: z.string(),
  revoked_at: z.string().nullable(),
});

export function viewGrant(grant: Grant): z.input<typeof grantAnswer> {
  return {
    grant_id: grant.id,
    key_id: grant.keyId,
    client_name: grant.clientName,
    client_id: grant.clientId,
    permissions: [...grant.permissions],
    environments: [...grant.environments],
    created_at: isoTime(grant.createdAt),
    last_used_at: isoTimeOrNull(grant.lastUsedAt),
    expires_at: isoTime(grant.expiresAt),
    revoked_at: isoTimeOrNull(grant.endedAt),
  };
}
