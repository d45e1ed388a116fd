import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { newId } from "../../core/ids.ts";
import { limits } from "../../core/limits.ts";
import { personStates, stateOfPerson } from "../../core/object-states.ts";
import type { Deps } from "../../deps.ts";
import { makerOf } from "../../partners/authenticate.ts";
import { endMade, keysOfPerson, madeBeyond, madeBy, narrowMade } from "../../partners/made.ts";
import {
  createEmployee,
  type Employee,
  findEmployee,
  listEmployees,
  type NotChanged,
  rightsOfKeys,
  setEmployeeStatus,
  setRights,
} from "../../partners/people/employees.ts";
import { INVITATION_LASTS, invite } from "../../partners/people/invitations.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../calls/paging.ts";
import { CallRefusal, conflict } from "../calls/refusal.ts";
import { oneLine } from "../one-line.ts";
import { defineCall } from "../ops/define-call.ts";
import { requireFreshPasskey } from "../partner/access.ts";
import { dashboardOf } from "../partner/dashboard-origin.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { isWider, requireOwnRights } from "../partner/own-rights.ts";
import { wire } from "../wire.ts";
import { type Asker, defineForBoth, defineForPartner } from "./define.ts";
import { andMade, madeAnswer, rightList, viewMade } from "./made.ts";
import { requirePartner } from "./partner-lookup.ts";
import { ownerField, seenBy } from "./rows.ts";

/** A person of a partner. */
const personView = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(["active", "disabled"]),
  state: z.enum(personStates).describe("Whether the person can sign in: `invited` and `no_passkey` cannot yet"),
  permissions: rightList,
  passkeys: z.int().describe("Without one, the person cannot sign in: invite them"),
  invited_until: z.string().nullable().describe("The end of an invitation that was not accepted yet"),
  made_by: z.string().nullable().describe("The id of the person or the key that added them; null: support"),
  created_at: z.string(),
});

const made = { made: madeAnswer };
const beyond = { made: madeAnswer.describe("What the person made that has a permission which the person has not") };

const fieldsOf = wire(personView.extend(ownerField));

const viewPerson = ({ clock }: Pick<Deps, "clock">, person: Employee) => ({
  ...fieldsOf(person),
  state: stateOfPerson(person, clock.now()),
  permissions: [...person.rights],
});

const invitationAnswer = z.object({
  id: z.string().describe("The invited person"),
  url: z
    .string()
    .describe(`The link, which works once within ${INVITATION_LASTS / 3_600_000} hours. Hand it over safely: it is shown only here`),
  expires_at: z.string(),
});

/** Makes the invitation of a person. @throws CallRefusal 409 for a disabled person, or without a dashboard. */
async function invitationOf({ deps, actor }: Pick<Asker, "deps" | "actor">, person: Employee): Promise<z.input<typeof invitationAnswer>> {
  const origin = dashboardOf(deps.settings);
  const invitation = await invite(deps, person, actor);
  if (invitation === null) conflict("This person is disabled, or was just changed. Look at them, and enable them first.");
  // The token stands behind #, so it gets into no log of a server.
  const url = `${origin}/dashboard/invitation#${invitation.token}`;
  return { id: person.id, url, expires_at: isoTime(invitation.expiresAt) };
}

const NO_PERSON = {
  partner: "You have no such person. `GET /partner/people` lists your people.",
  operator: "There is no such person. `employees list <partner>` shows a partner's people.",
};

const NO_ROOM = `There are ${limits.live.people} active people already. Disable one first.`;

/** The person, if the asker may see them. @throws CallRefusal 404 */
const requirePerson = async (asker: Asker, id: string) => seenBy(asker, await findEmployee(asker.deps.directory, id), NO_PERSON);

/** @throws CallRefusal 403 for a key: what a stolen key can do ends with the key. */
function requireNoKey({ partner }: Asker): void {
  if (partner !== null && partner.signedIn === null) throw new CallRefusal(403, "A key cannot invite people. Sign in to do it.");
}

/** The changed person. @throws CallRefusal 409 */
function changed(result: Employee | NotChanged): Employee {
  if (result === "last_owner") conflict("This is your only active owner who can sign in: make another person an owner first.");
  if (result === "no_room") conflict(NO_ROOM);
  if (result === "changed_since") conflict("Another person has just changed this person. Look at them again.");
  return result;
}

/** An operator may take a partner's last owner away; a partner may not. */
const lastOwnerOf = ({ partner }: Asker) => (partner === null ? "may_go" : "stays");

/** What the person made, without the asker itself. */
const madeByPerson = (asker: Asker, id: string) => madeBy(asker.deps, id, askerOf(asker));

/** The key or the person that asks, which no change of what others made concerns; null for an operator. */
const askerOf = ({ partner }: Asker) => (partner === null ? null : makerOf(partner.caller.holder));

/** A partner's new person comes with an invitation; an operator may choose the id, and invites later. */
const additions = {
  partner: definePartnerCall({
    command: "people invite",
    method: "POST",
    path: "/partner/people",
    permission: "owner",
    needsPasskey: true,
    summary: "Adds a colleague, with no more than your own permissions, and makes their invitation: a link that is shown once",
    body: z.strictObject({ name: oneLine(200).describe("The colleague's name"), permissions: rightList }),
    positional: ["name"],
    status: 201,
    answer: invitationAnswer,
    example: '"A colleague" --permissions balance_view payment_read',
    async run(context, { body }) {
      const { deps, caller, actor } = context;
      requireNoKey({ deps, actor, partner: context });
      dashboardOf(deps.settings);
      requireOwnRights(caller, body.permissions);
      const wanted = {
        id: newId("emp"),
        partnerId: caller.partnerId,
        name: body.name,
        rights: body.permissions,
        madeBy: makerOf(caller.holder),
      };
      const person = await createEmployee(deps, wanted, actor);
      if (typeof person === "string") conflict(person === "no_room" ? NO_ROOM : "Try again.");
      return invitationOf(context, person);
    },
  }),
  operator: defineCall({
    command: "employees add",
    method: "POST",
    path: "/ops/partners/{partner}/employees",
    role: "admin",
    summary: "Adds a person to a partner. To sign in, the person needs an invitation",
    body: z.strictObject({
      id: z
        .string()
        .regex(/^[A-Za-z0-9_-]{2,40}$/, "must be 2 to 40 characters of A-Z, a-z, 0-9, _ and -")
        .optional(),
      name: oneLine(200),
      permissions: rightList.default([]).describe("What the person may do when signed in; `owner` manages keys and people"),
    }),
    positional: ["name"],
    status: 201,
    answer: personView.extend(ownerField),
    example: 'acme "A person" --id acme-ann --permissions owner balance_view',
    async run({ deps, actor }, { params, body }) {
      const { id: partnerId } = await requirePartner(deps, params.partner);
      const wanted = { id: body.id ?? newId("emp"), partnerId, name: body.name, rights: body.permissions, madeBy: null };
      const person = await createEmployee(deps, wanted, actor);
      if (person === "id_taken") conflict(`The person ${body.id} already exists. Choose another id, or leave it out.`);
      return person === "no_room" ? conflict(NO_ROOM) : viewPerson(deps, person);
    },
  }),
};

export const peopleCalls = [
  defineForPartner({
    query: z.object(pageQuery),
    partner: {
      command: "people list",
      path: "/partner/people",
      permission: "owner",
      summary: "Your people: what they may do, and whether they can sign in",
      answer: pageOf(personView),
    },
    operator: {
      command: "employees list",
      path: "/ops/partners/{partner}/employees",
      role: "any",
      summary: "A partner's people, who may sign in and own keys",
      answer: pageOf(personView.extend(ownerField)),
      example: "acme",
    },
    async run({ deps, partnerId }, { query: { limit, cursor } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      const found = await listEmployees(deps.directory, partnerId, after, limit + 1);
      return cutPage(
        found,
        limit,
        (person) => viewPerson(deps, person),
        ({ id }) => [id],
      );
    },
  }),
  additions,
  defineForBoth({
    method: "POST",
    status: 201,
    partner: {
      command: "people invite-again",
      path: "/partner/people/{person}/invitation",
      permission: "owner",
      needsPasskey: true,
      summary: "Makes a new invitation for a person who lost it, or lost all passkeys; accepting it ends the passkeys from before",
      answer: invitationAnswer,
      example: "emp_0123…",
    },
    operator: {
      command: "employees invite",
      path: "/ops/employees/{person}/invitation",
      role: "admin",
      summary: "Makes an invitation: a link with which the person makes a passkey. It ends an earlier invitation",
      example: "acme-ann",
    },
    async run(asker, { params }) {
      const person = await requirePerson(asker, params.person);
      requireNoKey(asker);
      // The link signs in as the person, so it gives all that the person has.
      if (asker.partner !== null) requireOwnRights(asker.partner.caller, person.rights);
      return invitationOf(asker, person);
    },
  }),
  defineForBoth({
    method: "PUT",
    body: z.strictObject({ permissions: rightList, and_made: andMade }),
    partner: {
      command: "people permit",
      path: "/partner/people/{person}/permissions",
      permission: "owner",
      summary: "Replaces what a person may do, from their next request on; with `and_made`, what the person made loses the same",
      answer: personView.extend(beyond),
      example: "emp_0123… --permissions balance_view",
    },
    operator: {
      command: "employees permit",
      path: "/ops/employees/{person}/permissions",
      role: "admin",
      answer: personView.extend(ownerField).extend(beyond),
      example: "acme-ann --permissions owner balance_view",
    },
    async run(asker, { params, body: { permissions, and_made } }) {
      const { deps, actor, partner } = asker;
      const person = await requirePerson(asker, params.person);
      if (partner !== null) {
        requireOwnRights(partner.caller, permissions, person.rights);
        if (isWider(permissions, person.rights)) requireFreshPasskey(partner.signedIn, deps.clock);
      }
      const after = changed(await setRights(deps, person, permissions, actor, lastOwnerOf(asker)));
      const left = async () => {
        const { keys, people } = await madeByPerson(asker, person.id);
        const own = (await keysOfPerson(deps, person.id)).filter((key) => key !== askerOf(asker));
        const all = new Set([...keys, ...own]);
        return madeBeyond(deps, { keys: [...all].toSorted(), people }, permissions);
      };
      if (and_made) await narrowMade(deps, await left(), permissions, actor);
      return { ...viewPerson(deps, after), made: viewMade(await left()) };
    },
  }),
  ...(["disable", "enable"] as const).map((verb) => {
    const summary =
      verb === "disable"
        ? "Disables a person: their sessions end, and their keys stop; with `and_made`, also the keys that the person made, and the people"
        : "Enables a person, with their keys";
    return defineForBoth({
      method: "POST",
      body: verb === "disable" ? z.strictObject({ and_made: andMade }) : z.strictObject({}),
      partner: {
        command: `people ${verb}`,
        path: `/partner/people/{person}/${verb}`,
        permission: "owner",
        needsPasskey: verb === "enable",
        isBounded: verb === "disable",
        summary,
        answer: personView.extend(made),
        example: "emp_0123…",
      },
      operator: {
        command: `employees ${verb}`,
        path: `/ops/employees/{person}/${verb}`,
        role: "admin",
        summary,
        answer: personView.extend(ownerField).extend(made),
        example: "acme-ann",
      },
      async run(asker, { params, body }) {
        const { deps, actor, partner } = asker;
        const person = await requirePerson(asker, params.person);
        if (verb === "enable" && partner !== null)
          requireOwnRights(partner.caller, [...person.rights, ...(await rightsOfKeys(deps.directory, person))]);
        const status = verb === "enable" ? "active" : "disabled";
        const after = changed(await setEmployeeStatus(deps, person, status, actor, lastOwnerOf(asker)));
        if ("and_made" in body && body.and_made === true) await endMade(deps, await madeByPerson(asker, person.id), actor);
        return { ...viewPerson(deps, after), made: viewMade(await madeByPerson(asker, person.id)) };
      },
    });
  }),
];
