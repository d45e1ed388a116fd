import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { newId } from "../../../core/ids.ts";
import { makerOf } from "../../../partners/authenticate.ts";
import { endMade, madeBeyond, madeBy, narrowMade } from "../../../partners/made.ts";
import {
  createEmployee,
  type Employee,
  findEmployee,
  listEmployees,
  type NotChanged,
  rightsOfKeys,
  setEmployeeStatus,
  setRights,
} from "../../../partners/people/employees.ts";
import { invite } from "../../../partners/people/invitations.ts";
import { endSessionOf, listSessions } from "../../../partners/people/sessions.ts";
import { rightList } from "../../calls/key-views.ts";
import { andMade, madeAnswer, viewMade } from "../../calls/made-views.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { dashboardOf, invitationAnswer, NO_ROOM_FOR_PEOPLE, personAnswer, viewInvitation, viewPerson } from "../../calls/people-views.ts";
import { CallRefusal, conflict, notFound } from "../../calls/refusal.ts";
import { oneLine } from "../../one-line.ts";
import { requireFreshPasskey } from "../access.ts";
import { definePartnerCall, type PartnerContext } from "../define-call.ts";
import { isWider, requireOwnRights } from "../own-rights.ts";

/** @throws CallRefusal 404 for another partner's person, as for an unknown one. */
async function requirePerson({ deps, caller }: PartnerContext, id: string): Promise<Employee> {
  const found = await findEmployee(deps.directory, id);
  return found?.partnerId === caller.partnerId ? found : notFound("You have no such person. `GET /partner/people` lists your people.");
}

/** @throws CallRefusal 403 for a key: what a stolen key can do ends with the key. */
function requireSignedIn({ signedIn }: PartnerContext): void {
  if (signedIn === null) throw new CallRefusal(403, "A key cannot invite people. Sign in to do it.");
}

function changed(result: Employee | NotChanged) {
  if (result === "last_owner") conflict("This is your only active owner who can sign in: make another person an owner first.");
  if (result === "no_room") conflict(NO_ROOM_FOR_PEOPLE);
  if (result === "changed_since") conflict("Another person has just changed this person. Look at them again.");
  return viewPerson(result);
}

export const peopleCalls = [
  definePartnerCall({
    command: "people list",
    method: "GET",
    path: "/partner/people",
    permission: "owner",
    summary: "Your people: what they may do, and whether they can sign in",
    query: z.object(pageQuery),
    answer: pageOf(personAnswer),
    example: "",
    async run({ deps, caller }, { query: { limit, cursor } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      return cutPage(await listEmployees(deps.directory, caller.partnerId, after, limit + 1), limit, viewPerson, ({ id }) => [id]);
    },
  }),
  definePartnerCall({
    command: "people invite",
    method: "POST",
    path: "/partner/people",
    permission: "owner",
    needsPasskey: true,
    summary: "Adds a colleague, with no more than your own permissions, and makes their invitation: a link that is shown once",
    body: z.strictObject({
      name: oneLine(200).describe("The colleague's name"),
      permissions: rightList,
    }),
    positional: ["name"],
    status: 201,
    answer: invitationAnswer,
    example: '"A colleague" --permissions balance_view payment_read',
    async run(context, { body }) {
      const { deps, caller, actor } = context;
      requireSignedIn(context);
      dashboardOf(deps.settings);
      requireOwnRights(caller, body.permissions);
      const wanted = {
        id: newId("emp"),
        partnerId: caller.partnerId,
        name: body.name,
        rights: body.permissions,
        madeBy: makerOf(caller.holder),
      };
      const made = await createEmployee(deps, wanted, actor);
      if (typeof made === "string") conflict(made === "no_room" ? NO_ROOM_FOR_PEOPLE : "Try again.");
      return viewInvitation(deps, made.id, await invite(deps, made, actor));
    },
  }),
  definePartnerCall({
    command: "people invite-again",
    method: "POST",
    path: "/partner/people/{person}/invitation",
    permission: "owner",
    needsPasskey: true,
    summary: "Makes a new invitation for a person who lost it, or lost all passkeys; accepting it ends the passkeys from before",
    status: 201,
    answer: invitationAnswer,
    example: "emp_0123…",
    async run(context, { params }) {
      const { deps, caller, actor } = context;
      dashboardOf(deps.settings);
      const person = await requirePerson(context, params.person);
      requireSignedIn(context);
      // The link signs in as the person, so it gives all that the person has.
      requireOwnRights(caller, person.rights);
      return viewInvitation(deps, person.id, await invite(deps, person, actor));
    },
  }),
  definePartnerCall({
    command: "people permit",
    method: "PUT",
    path: "/partner/people/{person}/permissions",
    permission: "owner",
    summary: "Replaces what a person may do, from their next request on; with `and_made`, what the person made loses the same",
    body: z.strictObject({ permissions: rightList, and_made: andMade }),
    answer: personAnswer.extend({ made: madeAnswer.describe("What the person made that has a permission which the person has not") }),
    example: "emp_0123… --permissions balance_view",
    async run(context, { params, body }) {
      const { deps, caller, actor } = context;
      const person = await requirePerson(context, params.person);
      requireOwnRights(caller, body.permissions, person.rights);
      if (isWider(body.permissions, person.rights)) requireFreshPasskey(context.signedIn, deps.clock);
      const view = changed(await setRights(deps, person, body.permissions, actor, "stays"));
      const beyond = async () => madeBeyond(deps, await madeBy(deps, person.id, makerOf(caller.holder)), body.permissions);
      if (body.and_made) await narrowMade(deps, await beyond(), body.permissions, actor);
      return { ...view, made: viewMade(await beyond()) };
    },
  }),
  ...(["disable", "enable"] as const).map((verb) =>
    definePartnerCall({
      command: `people ${verb}`,
      method: "POST",
      path: `/partner/people/{person}/${verb}`,
      permission: "owner",
      needsPasskey: verb === "enable",
      isBounded: verb === "disable",
      summary:
        verb === "disable"
          ? "Disables a person: their sessions end, and their keys stop; with `and_made`, also the keys that the person made, and the people"
          : "Enables a person, with their keys",
      body: verb === "disable" ? z.strictObject({ and_made: andMade }) : z.strictObject({}),
      answer: personAnswer.extend({ made: madeAnswer }),
      example: "emp_0123…",
      async run(context, { params, body }) {
        const { deps, caller, actor } = context;
        const person = await requirePerson(context, params.person);
        if (verb === "enable") requireOwnRights(caller, [...person.rights, ...(await rightsOfKeys(deps.directory, person))]);
        const view = changed(await setEmployeeStatus(deps, person, verb === "enable" ? "active" : "disabled", actor, "stays"));
        if ("and_made" in body && body.and_made === true) await endMade(deps, await madeBy(deps, person.id, makerOf(caller.holder)), actor);
        return { ...view, made: viewMade(await madeBy(deps, person.id, makerOf(caller.holder))) };
      },
    }),
  ),
  definePartnerCall({
    command: "sessions list",
    method: "GET",
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
    example: "",
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
