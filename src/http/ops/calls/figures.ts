import * as z from "zod";
import { type Environment, environmentSchema } from "../../../core/environment.ts";
import { FIGURE_DAYS } from "../../../core/retention.ts";
import type { Deps } from "../../../deps.ts";
import { readFigures } from "../../../figures/read.ts";
import { figuresView, viewFigures } from "../../calls/figure-views.ts";
import { defineCall } from "../define-call.ts";
import { requireLocation } from "./partners.ts";

const figuresAnswer = figuresView.extend({ partner_id: z.string().nullable().describe("Null for all partners together") });

export const figureCalls = [
  defineCall({
    command: "figures",
    method: "GET",
    path: "/ops/figures",
    role: "any",
    summary: `Payments, failures, refunds and deliveries by day, over ${FIGURE_DAYS} days: of a partner, or of all`,
    query: z.object({ partner: z.string().optional(), environment: environmentSchema.default("live") }),
    answer: figuresAnswer,
    example: "--partner acme",
    run: ({ deps }, { query }) => figuresOf(deps, query),
  }),
];

/** @throws CallRefusal 404 for an unknown partner. */
async function figuresOf(deps: Deps, { partner, environment }: { partner?: string | undefined; environment: Environment }) {
  const of = partner === undefined ? null : { id: partner, data: deps.ofPartner(await requireLocation(deps, partner)).data };
  return { partner_id: of?.id ?? null, environment, ...viewFigures(await readFigures(deps, of, environment), environment) };
}
