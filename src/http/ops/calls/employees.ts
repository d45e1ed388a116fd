import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { newId } from "../../../core/ids.ts";
import { createEmployee, type EmployeeRow, listEmployees, setEmployeeStatus } from "../../../partners/admin/partners.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";
import { nameField, requirePartner } from "./partners.ts";

const status = z.enum(["active", "disabled"]);
const employeeAnswer = z.object({ id: z.string(), partner_id: z.string(), name: z.string(), status, created_at: z.string() });

const viewEmployee = ({ id, partnerId, name: called, status: state, createdAt }: EmployeeRow) => ({
  id,
  partner_id: partnerId,
  name: called,
  status: state,
  created_at: isoTime(createdAt),
});

export const employeeCalls = [
  defineCall({
    command: "employees list",
    method: "GET",
    path: "/ops/partners/{partner}/employees",
    role: "any",
    summary: "A partner's people, who may own keys",
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
    summary: "Adds a person to a partner, as an owner of keys",
    body: z.strictObject({
      id: z
        .string()
        .regex(/^[A-Za-z0-9_-]{2,40}$/, "must be 2 to 40 characters of A-Z, a-z, 0-9, _ and -")
        .optional(),
      name: nameField,
    }),
    positional: ["name"],
    status: 201,
    answer: employeeAnswer,
    example: 'acme "A person" --id acme-ann',
    async run({ deps, actor }, { params, body }) {
      const partner = await requirePartner(deps, params.partner);
      const made = await createEmployee(deps, { id: body.id ?? newId("emp"), partnerId: partner.id, name: body.name }, actor);
      return made === null ? conflict(`The person ${body.id} already exists. Choose another id, or leave it out.`) : viewEmployee(made);
    },
  }),
  ...(["disable", "enable"] as const).map((verb) =>
    defineCall({
      command: `employees ${verb}`,
      method: "POST",
      path: `/ops/employees/{id}/${verb}`,
      role: "admin",
      summary: verb === "disable" ? "Disables a person, with their keys, from the next request on" : "Enables a person, with their keys",
      answer: employeeAnswer,
      example: "acme-ann",
      async run({ deps, actor }, { params }) {
        const changed = await setEmployeeStatus(deps, params.id, verb === "enable" ? "active" : "disabled", actor);
        return changed === undefined ? notFound("There is no such person.") : viewEmployee(changed);
      },
    }),
  ),
];
