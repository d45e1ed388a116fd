import * as z from "zod";
import { noteView } from "../../../operators/partner-views.ts";
import { requirePartner } from "../../objects/partner-lookup.ts";
import { defineCall } from "../define-call.ts";

export const viewCalls = [
  defineCall({
    command: "partners view",
    method: "POST",
    path: "/ops/partners/{id}/views",
    role: "support",
    summary: "Opens a partner's dashboard to an operator for eight hours, read only. The audit log, which its owners see, notes it",
    status: 201,
    answer: z.object({ page: z.string().describe("The dashboard as the partner's owner sees it. Nothing can be changed there") }),
    example: "acme",
    async run({ deps, actor }, { params }) {
      const { id } = await requirePartner(deps, params.id);
      await noteView(deps, id, actor);
      return { page: `/ops/console/view/${id}/` };
    },
  }),
];
