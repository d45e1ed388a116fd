import * as z from "zod";
import type { Environment } from "../../../core/environment.ts";
import { FIGURE_DAYS } from "../../../core/retention.ts";
import { readFigures } from "../../../figures/read.ts";
import { figuresView, viewFigures } from "../../calls/figure-views.ts";
import { listEnvironment } from "../../calls/lists.ts";
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
    query: z.object({ environment: listEnvironment, days }),
    answer: figuresView,
    example: "--days 7",
    async run({ deps, own, caller }, { query }) {
      const of = { id: caller.partnerId, data: own.data };
      const view = async (environment: Environment) => viewFigures(await readFigures(deps, of, environment), environment, query.days);
      if (query.environment !== undefined) return { environment: query.environment, ...(await view(query.environment)) };
      const [live, test] = await Promise.all([view("live"), view("test")]);
      return {
        environment: null,
        counted_at: live.counted_at,
        oldest_waiting: [live.oldest_waiting, test.oldest_waiting].flatMap((at) => at ?? []).toSorted()[0] ?? null,
        days: live.days.flatMap((day, index) => [day, test.days[index] ?? []].flat()),
      };
    },
  }),
];
