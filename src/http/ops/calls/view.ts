import * as z from "zod";
import { auditEntries, auditRow } from "../../../audit/audit-log.ts";
import type { Actor } from "../../../core/actor.ts";
import { HOUR } from "../../../core/clock.ts";
import { runBatch } from "../../../db/client.ts";
import type { Deps } from "../../../deps.ts";
import { defineCall } from "../define-call.ts";
import { requirePartner } from "./partners.ts";

/** The audit log's name of a view. */
const VIEW = "partner.view";
/** How long a view stays open. */
const LASTS = 8 * HOUR;

/** Whether the audit log has that an operator looks at a partner's dashboard now. */
export async function isViewing({ directory, clock }: Pick<Deps, "directory" | "clock">, id: string, actor: Actor): Promise<boolean> {
  const now = { at: Number.MAX_SAFE_INTEGER, id: 0 };
  const views = { partnerId: id, target: id, actor: actor.name, action: VIEW, from: clock.now() - LASTS };
  return (await auditEntries(directory, views, now, 1)).length > 0;
}

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
      const entry = { actor, action: VIEW, target: id, partnerId: id };
      await runBatch(deps.directory, [auditRow(deps.directory, entry, deps.clock.now())]);
      return { page: `/ops/console/view/${id}/` };
    },
  }),
];
