import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { roles } from "../../../operators/roles.ts";
import { endSessionNamed, openOperatorSessions } from "../../../operators/sessions.ts";
import { listOperators, setRoles } from "../../../operators/store.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { notFound } from "../../calls/refusal.ts";
import { wire } from "../../wire.ts";
import { defineCall } from "../define-call.ts";

const roleList = z.array(z.enum(roles)).describe("`--roles` alone removes all");

const openSession = z.object({
  session: z.string(),
  operator: z.string().describe("The name that the person gave; the shared token verifies none"),
  browser: z.string().describe("As the browser describes itself"),
  created_at: z.string(),
  last_used_at: z.string().describe("To the minute"),
  expires_at: z.string(),
});

const fieldsOfSession = wire(openSession);

export const operatorCalls = [
  defineCall({
    command: "operators list",
    path: "/ops/operators",
    role: "any",
    summary: "The people who may operate the service, with their roles",
    query: z.object(pageQuery),
    answer: pageOf(z.object({ email: z.string(), roles: roleList, since: z.string() })),
    async run({ deps }, { query: { limit, cursor } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      const found = await listOperators(deps.directory, after, limit + 1);
      const view = (one: (typeof found)[number]) => ({ email: one.email, roles: [...one.roles], since: isoTime(one.createdAt) });
      return cutPage(found, limit, view, ({ email }) => [email]);
    },
  }),
  defineCall({
    command: "operators set",
    method: "PUT",
    path: "/ops/operators/{email}",
    role: "admin",
    summary: "Sets the roles of a person, from their next request on",
    params: z.object({ email: z.email("must be the address of the person's sign-in").max(200) }),
    body: z.strictObject({ roles: roleList }),
    answer: z.object({ email: z.string(), roles: roleList }),
    example: "ann@example.com --roles support moderation",
    async run({ deps, actor }, { params, body }) {
      await setRoles(deps, params.email, body.roles, actor);
      return { email: params.email.toLowerCase(), roles: body.roles };
    },
  }),
  defineCall({
    command: "sessions list",
    path: "/ops/sessions",
    role: "any",
    summary: "The open sessions of browsers that signed in with the shared token; Cloudflare Access has those of its own",
    answer: z.object({ data: z.array(openSession), next: z.null() }),
    async run({ deps }) {
      const found = await openOperatorSessions(deps, deps.settings.opsToken);
      return { data: found.map((one) => ({ ...fieldsOfSession(one), operator: one.name })), next: null };
    },
  }),
  defineCall({
    command: "sessions end",
    method: "POST",
    path: "/ops/sessions/{session}/end",
    role: "admin",
    summary: "Ends the session of an operator's browser, from its next request on",
    answer: z.object({ success: z.literal(true) }),
    example: "opses_0123456789abcdef",
    async run({ deps, actor }, { params }) {
      const isEnded = await endSessionNamed(deps, params.session, actor);
      return isEnded ? { success: true as const } : notFound("There is no such open session. `sessions list` shows all.");
    },
  }),
];
