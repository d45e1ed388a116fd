import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../core/clock.ts";
import { limits } from "../../core/limits.ts";
import type { Deps } from "../../deps.ts";
import type { Employee } from "../../partners/people/employees.ts";
import { INVITATION_LASTS, type Invitation } from "../../partners/people/invitations.ts";
import { rightList } from "./key-views.ts";
import { conflict } from "./refusal.ts";

/** The refusal of one person more. */
export const NO_ROOM_FOR_PEOPLE = `There are ${limits.live.people} active people already. Disable one first.`;

/** A person for their partner. */
export const personAnswer = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(["active", "disabled"]),
  permissions: rightList,
  passkeys: z.int().describe("Without one, the person cannot sign in: invite them"),
  invited_until: z.string().nullable().describe("The end of an invitation that was not accepted yet"),
  made_by: z.string().nullable().describe("The id of the person or the key that added them; null: support"),
  created_at: z.string(),
});

export function viewPerson(person: Employee): z.input<typeof personAnswer> {
  return {
    id: person.id,
    name: person.name,
    status: person.status,
    permissions: [...person.rights],
    passkeys: person.passkeys,
    invited_until: isoTimeOrNull(person.invitedUntil),
    made_by: person.madeBy,
    created_at: isoTime(person.createdAt),
  };
}

export const invitationAnswer = z.object({
  id: z.string().describe("The invited person"),
  url: z
    .string()
    .describe(`The link, which works once within ${INVITATION_LASTS / 3_600_000} hours. Hand it over safely: it is shown only here`),
  expires_at: z.string(),
});

/** @throws CallRefusal for a disabled person, or without a dashboard. */
export function viewInvitation(
  { settings }: Pick<Deps, "settings">,
  id: string,
  invitation: Invitation | null,
): z.input<typeof invitationAnswer> {
  if (invitation === null) conflict("This person is disabled, or was just changed. Look at them, and enable them first.");
  // The token stands behind #, so it gets into no log of a server.
  return { id, url: `${dashboardOf(settings)}/dashboard/invitation#${invitation.token}`, expires_at: isoTime(invitation.expiresAt) };
}

/** The origin where people sign in. @throws CallRefusal if the service has none. */
export function dashboardOf({ dashboardOrigin }: Deps["settings"]): string {
  return dashboardOrigin ?? conflict("This service has no dashboard, so no person could sign in: the setting DASHBOARD_ORIGIN is missing.");
}
