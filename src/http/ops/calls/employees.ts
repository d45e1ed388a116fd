import * as z from "zod";
import { newId } from "../../../core/ids.ts";
import type { Deps } from "../../../deps.ts";
import {
  createEmployee,
  type Employee,
  findEmployee,
  listEmployees,
  type NotChanged,
  setEmployeeStatus,
  setRights,
} from "../../../partners/people/employees.ts";
import { invite } from "../../../partners/people/invitations.ts";
import { rightList } from "../../calls/key-views.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { dashboardOf, invitationAnswer, NO_ROOM_FOR_PEOPLE, personAnswer, viewInvitation, viewPerson } from "../../calls/people-views.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { nameField, requirePartner } from "./partners.ts";

const employeeAnswer = personAnswer.extend({ partner_id: z.string() });

const viewEmployee = (employee: Employee) => ({ ...viewPerson(employee), partner_id: employee.partnerId });

/** @throws CallRefusal 404 */
async function requireEmployee({ directory }: Pick<Deps, "directory">, id: string): Promise<Employee> {
  return (await findEmployee(directory, id)) ?? notFound("There is no such person. `employees list <partner>` shows a partner's people.");
}

/** An operator may take a partner's last owner away, so only another change is in the way. */
function changed(result: Employee | NotChanged) {
  if (result === "no_room") conflict(NO_ROOM_FOR_PEOPLE);
  return typeof result === "string" ? conflict("This person was just changed by another. Look at them again.") : viewEmployee(result);
}

export const employeeCalls = [
  defineCall({
    command: "employees list",
    method: "GET",
    path: "/ops/partners/{partner}/employees",
    role: "any",
    summary: "A partner's people, who may sign in and own keys",
    query: z.object(pageQuery),
    answer: pageOf(employeeAnswer),
    example: "acme",
    async run({ deps }, { params, query: { limit, cursor } }) {
      const partner = await requirePartner(deps, params.partner);
      const [after] = keyIn(cursor, textKey) ?? [""];
      return cutPage(await listEmployees(deps.directory, partner.id, after, limit + 1), limit, viewEmployee, ({ id }) => [id]);
    },
  }),
  defineCall({
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
      name: nameField,
      permissions: rightList.default([]).describe("What the person may do when signed in; `owner` manages keys and people"),
    }),
    positional: ["name"],
    status: 201,
    answer: employeeAnswer,
    example: 'acme "A person" --id acme-ann --permissions owner balance_view',
    async run({ deps, actor }, { params, body }) {
      const partner = await requirePartner(deps, params.partner);
      const wanted = { id: body.id ?? newId("emp"), partnerId: partner.id, name: body.name, rights: body.permissions, madeBy: null };
      const made = await createEmployee(deps, wanted, actor);
      if (made === "id_taken") conflict(`The person ${body.id} already exists. Choose another id, or leave it out.`);
      return made === "no_room" ? conflict(NO_ROOM_FOR_PEOPLE) : viewEmployee(made);
    },
  }),
  defineCall({
    command: "employees invite",
    method: "POST",
    path: "/ops/employees/{id}/invitation",
    role: "admin",
    summary: "Makes an invitation: a link with which the person makes a passkey. It ends an earlier invitation",
    status: 201,
    answer: invitationAnswer,
    example: "acme-ann",
    async run({ deps, actor }, { params }) {
      const employee = await requireEmployee(deps, params.id);
      dashboardOf(deps.settings);
      return viewInvitation(deps, employee.id, await invite(deps, employee, actor));
    },
  }),
  defineCall({
    command: "employees permit",
    method: "PUT",
    path: "/ops/employees/{id}/permissions",
    role: "admin",
    summary: "Replaces what a person may do when signed in, from the next request on",
    body: z.strictObject({ permissions: rightList }),
    answer: employeeAnswer,
    example: "acme-ann --permissions owner balance_view",
    async run({ deps, actor }, { params, body }) {
      const employee = await requireEmployee(deps, params.id);
      return changed(await setRights(deps, employee, body.permissions, actor, "may_go"));
    },
  }),
  ...(["disable", "enable"] as const).map((verb) =>
    defineCall({
      command: `employees ${verb}`,
      method: "POST",
      path: `/ops/employees/{id}/${verb}`,
      role: "admin",
      summary:
        verb === "disable"
          ? "Disables a person, with their keys and sessions, from the next request on"
          : "Enables a person, with their keys",
      answer: employeeAnswer,
      example: "acme-ann",
      async run({ deps, actor }, { params }) {
        const employee = await requireEmployee(deps, params.id);
        return changed(await setEmployeeStatus(deps, employee, verb === "enable" ? "active" : "disabled", actor, "may_go"));
      },
    }),
  ),
];
