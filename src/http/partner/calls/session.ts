import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { personsCancelPermission } from "../../../partners/authenticate.ts";
import { admit } from "../../../partners/change-counts.ts";
import {
  addPasskey,
  furtherPasskeyOptions,
  type ListedPasskey,
  listPasskeys,
  MAX_PASSKEYS,
  removePasskey,
} from "../../../partners/people/passkeys.ts";
import { endSessionOf, type SignedIn } from "../../../partners/people/sessions.ts";
import { beginVerification, verifyPerson } from "../../../partners/people/verification.ts";
import { permissions } from "../../../partners/permissions.ts";
import { CallRefusal, conflict, notFound } from "../../calls/refusal.ts";
import { rightList } from "../../objects/made.ts";
import { dashboardOf } from "../dashboard-origin.ts";
import { definePartnerCall, type PartnerContext } from "../define-call.ts";
import { browserOptions, passkeyLabel, registrationResponse, signInResponse } from "../sign-in/schemas.ts";

const passkeyAnswer = z.object({ passkey: z.string(), label: z.string(), created_at: z.string(), last_used_at: z.string().nullable() });

const viewPasskey = ({ id, label, createdAt, lastUsedAt }: ListedPasskey): z.input<typeof passkeyAnswer> => ({
  passkey: id,
  label,
  created_at: isoTime(createdAt),
  last_used_at: isoTimeOrNull(lastUsedAt),
});

type Person = Parameters<typeof removePasskey>[1];

/** The person of a call that only people can make. */
function personOf({ signedIn }: PartnerContext): SignedIn & { readonly who: Person } {
  if (signedIn === null) throw new CallRefusal(403, "This is for people: sign in to the dashboard.");
  return { ...signedIn, who: { ...signedIn.person, partnerId: signedIn.caller.partnerId, sessionId: signedIn.session.id } };
}

/** Who sees the dashboard. */
export const sessionAnswer = z.object({
  session: z.string(),
  person: z.object({ id: z.string(), name: z.string() }),
  partner: z.object({ id: z.string(), name: z.string() }),
  permissions: rightList,
  cancel_permission: z.enum(permissions).describe("What a person needs to end a subscription"),
  time_zone: z.string().describe("The partner's: its pages show times of this zone"),
  expires_at: z.string(),
  api: z.string().describe("Where programs call the operations, and where the documentation is"),
  viewed_by_operator: z.boolean().describe("Whether an operator looks at the dashboard: nothing can be changed"),
});

export const sessionCalls = [
  definePartnerCall({
    command: "session show",
    path: "/partner/session",
    permission: "signed_in",
    summary: "Who is signed in, what they may do, and until when",
    answer: sessionAnswer,
    run(context) {
      const { person, partnerName, session, caller } = personOf(context);
      return Promise.resolve({
        session: session.id,
        person,
        partner: { id: caller.partnerId, name: partnerName },
        permissions: [...caller.permissions],
        cancel_permission: personsCancelPermission(caller),
        time_zone: caller.timeZone,
        expires_at: isoTime(session.expiresAt),
        api: context.deps.settings.apiOrigin,
        viewed_by_operator: false,
      });
    },
  }),
  definePartnerCall({
    command: "session end",
    method: "POST",
    path: "/partner/session/end",
    permission: "signed_in",
    // A session ends once, and signing out always works.
    isBounded: true,
    summary: "Signs out: the session ends, not only its cookie",
    answer: z.object({ success: z.literal(true) }),
    async run(context) {
      const { session, caller } = personOf(context);
      await endSessionOf(context.deps, caller.partnerId, session.id, context.actor);
      context.dropCookie();
      return { success: true as const };
    },
  }),
  definePartnerCall({
    command: "session verify-begin",
    method: "POST",
    path: "/partner/session/verification/challenge",
    permission: "signed_in",
    isBounded: true,
    summary: "What your browser needs to use your passkey again",
    answer: z.object({ options: browserOptions }),
    async run(context) {
      const { deps } = context;
      return { options: { ...(await beginVerification(deps, dashboardOf(deps.settings), personOf(context))) } };
    },
  }),
  definePartnerCall({
    command: "session verify",
    method: "POST",
    path: "/partner/session/verification",
    permission: "signed_in",
    // Each leaves a row, so it is counted by person: one person does not use up what others may change.
    isBounded: true,
    summary: "Notes that you have just used your passkey: for 15 minutes you may do what needs it",
    body: z.strictObject({ response: signInResponse }),
    answer: z.object({ success: z.literal(true) }),
    async run(context, { body }) {
      const { deps, actor } = context;
      const isVerified = await verifyPerson(deps, dashboardOf(deps.settings), personOf(context), body.response, actor.requestId);
      return isVerified ? { success: true as const } : conflict("This is not a passkey of yours, or it took too long. Try again.");
    },
  }),
  definePartnerCall({
    command: "passkeys list",
    path: "/partner/passkeys",
    permission: "signed_in",
    summary: "Your own passkeys",
    answer: z.object({ data: z.array(passkeyAnswer), next: z.null() }),
    run: async (context) => ({ data: (await listPasskeys(context.deps.directory, personOf(context).who.id)).map(viewPasskey), next: null }),
  }),
  definePartnerCall({
    command: "passkeys begin",
    method: "POST",
    path: "/partner/passkeys/challenge",
    permission: "signed_in",
    needsPasskey: true,
    isBounded: true,
    summary: "What your browser needs to make another passkey",
    answer: z.object({ options: browserOptions }),
    async run(context) {
      const { deps } = context;
      return { options: { ...(await furtherPasskeyOptions(deps, dashboardOf(deps.settings), personOf(context).who)) } };
    },
  }),
  definePartnerCall({
    command: "passkeys add",
    method: "POST",
    path: "/partner/passkeys",
    permission: "signed_in",
    needsPasskey: true,
    // Counted by person: one person does not use up what others may change.
    isBounded: true,
    summary: "Adds another passkey, such as that of a second device",
    body: z.strictObject({ response: registrationResponse, label: passkeyLabel }),
    status: 201,
    answer: passkeyAnswer,
    async run(context, { body }) {
      const { deps, actor } = context;
      const { who } = personOf(context);
      await admit(deps, "passkey", who.id);
      if ((await listPasskeys(deps.directory, who.id)).length >= MAX_PASSKEYS)
        conflict(`You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
      const added = await addPasskey(deps, dashboardOf(deps.settings), who, { response: body.response, label: body.label }, actor);
      return added === null ? conflict("This passkey is known already, or it took too long. Try again.") : viewPasskey(added);
    },
  }),
  definePartnerCall({
    command: "passkeys remove",
    method: "DELETE",
    path: "/partner/passkeys/{passkey}",
    permission: "signed_in",
    needsPasskey: true,
    // By what there is to remove: each was added.
    isBounded: true,
    summary: "Removes one of your passkeys, but not the last one, and ends your other sessions",
    answer: z.object({ success: z.literal(true) }),
    async run(context, { params }) {
      const { deps, actor } = context;
      const result = await removePasskey(deps, personOf(context).who, params.passkey, actor);
      if (result === "unknown") notFound("You have no such passkey.");
      if (result === "last") conflict("This is your only passkey: without it, you could not sign in. Add another one first.");
      return { success: true as const };
    },
  }),
];
