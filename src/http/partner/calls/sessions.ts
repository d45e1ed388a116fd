import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { endSessionOf, listSessions } from "../../../partners/people/sessions.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { notFound } from "../../calls/refusal.ts";
import { definePartnerCall } from "../define-call.ts";

export const openSessionCalls = [
  definePartnerCall({
    command: "sessions list",
    path: "/partner/sessions",
    permission: "owner",
    summary: "The open sessions of your people",
    query: z.object(pageQuery),
    answer: pageOf(
      z.object({
        session: z.string(),
        person: z.object({ id: z.string(), name: z.string() }),
        browser: z.string().describe("As the browser describes itself"),
        is_this: z.boolean().describe("Whether it is the session that asks"),
        created_at: z.string(),
        last_used_at: z.string().describe("To the minute"),
        expires_at: z.string(),
      }),
    ),
    async run({ deps, caller, signedIn }, { query: { limit, cursor } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      const found = await listSessions(deps, caller.partnerId, after, limit + 1);
      const view = (session: (typeof found)[number]) => ({
        session: session.id,
        person: { id: session.employeeId, name: session.personName },
        browser: session.browser,
        is_this: session.id === signedIn?.session.id,
        created_at: isoTime(session.createdAt),
        last_used_at: isoTime(session.lastUsedAt),
        expires_at: isoTime(session.expiresAt),
      });
      return cutPage(found, limit, view, ({ id }) => [id]);
    },
  }),
  definePartnerCall({
    command: "sessions end",
    method: "POST",
    path: "/partner/sessions/{session}/end",
    permission: "owner",
    isBounded: true,
    summary: "Ends a session of one of your people",
    answer: z.object({ success: z.literal(true) }),
    example: "ses_0123…",
    async run({ deps, caller, actor }, { params }) {
      const isEnded = await endSessionOf(deps, caller.partnerId, params.session, actor);
      return isEnded ? { success: true as const } : notFound("You have no such open session. `GET /partner/sessions` lists them.");
    },
  }),
];
