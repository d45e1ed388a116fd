import * as z from "zod";
import { environmentSchema } from "../../../core/environment.ts";
import { FIGURE_DAYS } from "../../../core/retention.ts";
import { readFigures } from "../../../figures/read.ts";
import { figuresView, viewFigures } from "../../calls/figure-views.ts";
import { definePartnerCall } from "../define-call.ts";

const days = z.coerce
  .number(`must be a whole number from 1 to ${FIGURE_DAYS}`)
  .int()
  .min(1)
  .max(FIGURE_DAYS)
  .default(FIGURE_DAYS)
  .describe(`How many days, up to today: 1 to ${FIGURE_DAYS}`);

export const figureCalls = [
  definePartnerCall({
    command: "figures",
    method: "GET",
    path: "/partner/figures",
    permission: "balance_view",
    summary: "Payments, failures, refunds and deliveries by day and currency",
    query: z.object({ environment: environmentSchema.default("live"), days }),
    answer: figuresView,
    example: "--days 7",
    async run({ deps, own, caller }, { query }) {
      const figures = await readFigures(deps, { id: caller.partnerId, data: own.data }, query.environment);
      return { environment: query.environment, ...viewFigures(figures, query.days) };
    },
  }),
];
