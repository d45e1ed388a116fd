import * as z from "zod";
import { auditRow } from "../../../audit/audit-log.ts";
import { runBatch } from "../../../db/client.ts";
import { defineCall } from "../define-call.ts";
import { requirePartner } from "./partners.ts";

export const viewCalls = [
  defineCall({
    command: "partners view",
    method: "POST",
    path: "/ops/partners/{id}/views",
    role: "any",
    summary: "Notes in the audit log, which the partner's owners see, that an operator looks at its dashboard; answers where it is",
    status: 201,
    answer: z.object({ page: z.string().describe("The dashboard as the partner's owner sees it. Nothing can be changed there") }),
    example: "acme",
    async run({ deps, actor }, { params }) {
      const { id } = await requirePartner(deps, params.id);
      const entry = { actor, action: "partner.view", target: id, partnerId: id };
      await runBatch(deps.directory, [auditRow(deps.directory, entry, deps.clock.now())]);
      return { page: `/ops/console/view/${id}/` };
    },
  }),
];
