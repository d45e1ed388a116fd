import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { roles } from "../../../operators/roles.ts";
import { listOperators, setRoles } from "../../../operators/store.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { defineCall } from "../define-call.ts";

const roleList = z.array(z.enum(roles)).describe("`--roles` alone removes all");

export const operatorCalls = [
  defineCall({
    command: "operators list",
    method: "GET",
    path: "/ops/operators",
    role: "any",
    summary: "The people who may operate the service, with their roles",
    query: z.object(pageQuery),
    answer: pageOf(z.object({ email: z.string(), roles: roleList, since: z.string() })),
    example: "",
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
];
