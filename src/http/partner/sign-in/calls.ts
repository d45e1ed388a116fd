import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { acceptInvitation, openInvitation } from "../../../partners/people/invitations.ts";
import { beginSignIn, signIn } from "../../../partners/people/passkeys.ts";
import type { StartedSession } from "../../../partners/people/sessions.ts";
import { CallRefusal, notFound } from "../../calls/refusal.ts";
import { dashboardOf } from "../dashboard-origin.ts";
import { defineSignInCall, type SignInContext } from "../define-call.ts";
import { browserOptions, passkeyLabel, registrationResponse, signInResponse } from "./schemas.ts";

const NO_INVITATION =
  "This invitation is not open: it was accepted, replaced or is over. Ask an owner of your account, or support, for a new one.";

const token = z.string().min(1).max(200).describe("The part of the invitation's link behind #");

const startedAnswer = z.object({ session: z.string(), expires_at: z.string() });

/** Gives the browser its session. A refusal does not say why: it would tell a stranger which passkeys exist. */
async function started({ deps, setCookie }: SignInContext, session: StartedSession | null, refusal: string) {
  if (session === null) {
    await deps.rateLimits.signIns.refuse(deps.address);
    throw new CallRefusal(401, refusal);
  }
  setCookie(session);
  return { session: session.id, expires_at: isoTime(session.expiresAt) };
}

/** The calls before a session: without a key, from the dashboard's own pages. */
export const signInCalls = [
  defineSignInCall({
    command: "sign-in begin",
    method: "POST",
    path: "/partner/sign-in/challenge",
    summary: "What a browser needs to sign in with a passkey",
    answer: z.object({ options: browserOptions }),
    run: async ({ deps }) => ({ options: { ...(await beginSignIn(deps, dashboardOf(deps.settings))) } }),
  }),
  defineSignInCall({
    command: "sign-in",
    method: "POST",
    path: "/partner/sign-in",
    summary: "Signs a person in with a passkey, and sets the session's cookie",
    body: z.strictObject({ response: signInResponse }),
    answer: startedAnswer,
    async run(context, { body }) {
      const { deps, browser, requestId } = context;
      const session = await signIn(deps, dashboardOf(deps.settings), { response: body.response, browser, requestId });
      return started(
        context,
        session,
        "This passkey does not sign anyone in, or it took too long. Try again, or ask an owner of your account for an invitation.",
      );
    },
  }),
  defineSignInCall({
    command: "invitation open",
    method: "POST",
    path: "/partner/invitation/challenge",
    summary: "Who is invited by a link, and what the browser needs to make a passkey",
    body: z.strictObject({ token }),
    answer: z.object({ person: z.string(), partner: z.string(), expires_at: z.string(), options: browserOptions }),
    async run({ deps }, { body }) {
      const opened = await openInvitation(deps, dashboardOf(deps.settings), body.token);
      if (opened === undefined) {
        await deps.rateLimits.signIns.refuse(deps.address);
        return notFound(NO_INVITATION);
      }
      const { personName, partnerName, expiresAt } = opened.found;
      return { person: personName, partner: partnerName, expires_at: isoTime(expiresAt), options: { ...opened.options } };
    },
  }),
  defineSignInCall({
    command: "invitation accept",
    method: "POST",
    path: "/partner/invitation",
    summary: "Accepts an invitation with a new passkey, and signs in. Passkeys and sessions from before end",
    body: z.strictObject({ token, response: registrationResponse, label: passkeyLabel }),
    status: 201,
    answer: startedAnswer,
    async run(context, { body }) {
      const { deps, browser, requestId } = context;
      const given = { response: body.response, label: body.label, browser, requestId };
      return started(context, await acceptInvitation(deps, dashboardOf(deps.settings), body.token, given), NO_INVITATION);
    },
  }),
];
