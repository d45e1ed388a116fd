import * as z from "zod";
import type { CellCode } from "../../../core/cell-code.ts";
import { cellCodeSchema } from "../../../core/cell-code-schema.ts";
import { isoTime } from "../../../core/clock.ts";
import { type Region, regions } from "../../../core/regions.ts";
import type { Deps } from "../../../deps.ts";
import { emptiestOf, readCells } from "../../../figures/cells.ts";
import { applyPartnerStatus } from "../../../partner-status/apply.ts";
import { changePartner, createPartner, listPartners, setPartnerStatus } from "../../../partners/admin/partners.ts";
import { permissions } from "../../../partners/permissions.ts";
import { cutPage, keyIn, pageOf, pageQuery, textKey } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { noPartner, requireLocation, requirePartner } from "../../objects/partner-lookup.ts";
import { oneLine } from "../../one-line.ts";
import { wire } from "../../wire.ts";
import { defineCall } from "../define-call.ts";

const nameField = oneLine(200);
const chosenId = z.string().regex(/^[a-z0-9-]{2,40}$/, "must be 2 to 40 characters of a-z, 0-9 and -");
const status = z.enum(["active", "disabled"]);

const MAX_CONTACT = 320;

const partnerAnswer = z.object({
  id: z.string(),
  name: z.string(),
  status,
  cell: z.string(),
  cancel_permission: z.string().nullable().describe("The permission that a key needs to cancel a subscription; null: none"),
  contact: z.string().nullable().describe("Whom operators write to"),
  created_at: z.string(),
});

const viewPartner = wire(partnerAnswer);

/** @throws CallRefusal if there is no such cell */
async function cellFor(
  deps: Deps,
  { cell, region }: { readonly cell?: CellCode | undefined; readonly region?: Region | undefined },
): Promise<CellCode> {
  if (cell !== undefined && region !== undefined) conflict("Give `cell` or `region`, not both.");
  if (cell !== undefined) return deps.cellNamed(cell)?.databaseName ?? notFound(`There is no cell ${cell}. \`cells\` shows all.`);
  return emptiestOf(await readCells(deps), region ?? null) ?? notFound(`No cell is in ${region}. \`cells\` shows all.`);
}

export const partnerCalls = [
  defineCall({
    command: "partners list",
    path: "/ops/partners",
    role: "any",
    summary: "All partners, by id",
    query: z.object(pageQuery),
    answer: pageOf(partnerAnswer),
    example: "--limit 20",
    async run({ deps }, { query: { limit, cursor } }) {
      const [after] = keyIn(cursor, textKey) ?? [""];
      return cutPage(await listPartners(deps.directory, after, limit + 1), limit, viewPartner, ({ id }) => [id]);
    },
  }),
  defineCall({
    command: "partners create",
    method: "POST",
    path: "/ops/partners",
    role: "admin",
    summary: "Adds a partner, who can do nothing until a key is issued",
    body: z.strictObject({
      id: chosenId,
      name: nameField,
      cell: cellCodeSchema.optional().describe("The cell for its data; default: the one with the fewest partners"),
      region: z.enum(regions).optional().describe("The cell with the fewest partners in this region"),
    }),
    positional: ["id", "name"],
    status: 201,
    answer: partnerAnswer,
    example: 'acme "Acme Ltd"',
    async run({ deps, actor }, { body }) {
      const { id, name: called } = body;
      const made = await createPartner(deps, { id, name: called, cell: await cellFor(deps, body) }, actor);
      return made === null ? conflict(`The partner ${body.id} already exists. Choose another id.`) : viewPartner(made);
    },
  }),
  defineCall({
    command: "partners show",
    path: "/ops/partners/{id}",
    role: "any",
    summary: "One partner, and where its data is",
    answer: partnerAnswer.extend({
      earlier_cells: z
        .array(z.object({ cell: z.string(), until: z.string() }))
        .describe("Earlier cells, if it was split by time, newest first"),
    }),
    example: "acme",
    async run({ deps }, { params }) {
      const partner = await requirePartner(deps, params.id);
      const { earlier } = await requireLocation(deps, params.id);
      return { ...viewPartner(partner), earlier_cells: earlier.map(({ cell, until }) => ({ cell, until: isoTime(until) })) };
    },
  }),
  ...(["disable", "enable"] as const).map((verb) =>
    defineCall({
      command: `partners ${verb}`,
      method: "POST",
      path: `/ops/partners/{id}/${verb}`,
      role: "admin",
      summary:
        verb === "disable"
          ? "Disables a partner: keys at the next request, short links within two minutes; its events are kept"
          : "Enables a partner, and sends the kept events",
      answer: partnerAnswer,
      example: "acme",
      async run({ deps, actor }, { params }) {
        const id = params.id;
        const changed = await setPartnerStatus(deps, id, verb === "enable" ? "active" : "disabled", actor);
        await applyPartnerStatus(deps);
        return viewPartner(changed ?? (await requirePartner(deps, id)));
      },
    }),
  ),
  defineCall({
    command: "partners set-cancel",
    method: "POST",
    path: "/ops/partners/{id}/cancel-permission",
    role: "admin",
    summary: "Sets the permission that a partner's keys need to cancel a subscription; the interface requires none",
    body: z.strictObject({ permission: z.enum([...permissions, "none"]) }),
    positional: ["permission"],
    answer: partnerAnswer,
    example: "acme product_create",
    async run({ deps, actor }, { params, body: { permission } }) {
      const change = { cancelPermission: permission === "none" ? null : permission };
      return viewPartner((await changePartner(deps, params.id, change, actor)) ?? noPartner(params.id));
    },
  }),
  defineCall({
    command: "partners contact",
    method: "POST",
    path: "/ops/partners/{id}/contact",
    role: "support",
    summary: "Sets the partner's contact, a mail or chat address; none removes it",
    body: z.strictObject({
      contact: z
        .string()
        .trim()
        .refine((text) => text === "none" || z.email().safeParse(text).success || z.url({ protocol: /^https$/ }).safeParse(text).success, {
          error: "must be a mail address, an https address of a chat, or none",
        })
        .refine((text) => text.length <= MAX_CONTACT, `must have at most ${MAX_CONTACT} characters`),
    }),
    positional: ["contact"],
    answer: partnerAnswer,
    example: "acme tech@acme.example",
    async run({ deps, actor }, { params, body: { contact } }) {
      const change = { contact: contact === "none" ? null : contact };
      return viewPartner((await changePartner(deps, params.id, change, actor)) ?? noPartner(params.id));
    },
  }),
  defineCall({
    command: "partners rename",
    method: "POST",
    path: "/ops/partners/{id}/name",
    role: "admin",
    summary: "Changes the name of a partner; its id stays",
    body: z.strictObject({ name: nameField }),
    positional: ["name"],
    answer: partnerAnswer,
    example: 'acme "Acme Payments Ltd"',
    async run({ deps, actor }, { params, body }) {
      return viewPartner((await changePartner(deps, params.id, body, actor)) ?? noPartner(params.id));
    },
  }),
];
