import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import type { Deps } from "../../../deps.ts";
import { checkHealth } from "../../../health/check.ts";
import { healthStates, worstOf } from "../../../health/finding.ts";
import { kindsOfWork, lateRows } from "../../../health/own-work.ts";
import { MOST_COUNTED, waitingForPerson } from "../../../health/waiting.ts";
import { defineCall } from "../define-call.ts";

const healthAnswer = z.object({
  /** False makes the command exit with its own code: a check has failed. */
  success: z.boolean(),
  status: z.enum(healthStates),
  at: z.string(),
  dashboard_origin: z.string().nullable().describe("Where people and operators sign in; null if the service has no dashboard"),
  short_link_origin: z.string().describe("Where the short links are, which have a Worker of their own"),
  checks: z.array(
    z.object({
      check: z.string(),
      state: z.enum(healthStates),
      detail: z.string(),
      cure: z.string().nullable().describe("What to do"),
      list: z.string().nullable().describe("The operators' command that lists the rows that are meant"),
    }),
  ),
});

/** Longer than what a person works off by a list. */
const MOST_LATE = 100;

export const healthCalls = [
  defineCall({
    command: "waiting",
    path: "/ops/waiting",
    role: "any",
    summary: "What waits for a person: how many of each kind, since when the oldest, and the command that lists them",
    answer: z.object({
      data: z.array(
        z.object({
          kind: z.string(),
          count: z
            .int()
            .nullable()
            .describe(`Where each has to be read, at most ${MOST_COUNTED}; null if it is unknown, because a database does not answer`),
          oldest: z.string().nullable().describe("Null if none waits, or it is not known"),
          command: z.string(),
        }),
      ),
      next: z.null(),
    }),
    run: async ({ deps }) => ({
      data: (await waitingForPerson(deps)).map(({ oldest, ...one }) => ({ ...one, oldest: isoTimeOrNull(oldest) })),
      next: null,
    }),
  }),
  defineCall({
    command: "work list",
    path: "/ops/work",
    role: "any",
    summary: `The rows of the service's own work that wait, the oldest first; at most ${MOST_LATE}`,
    query: z.object({ kind: z.enum(kindsOfWork).describe("Which work") }),
    positional: ["kind"],
    answer: z.object({
      data: z.array(
        z.object({
          id: z.string().describe("A delivery, a payment, a request, a ruble payment or a comparison; `find` knows them"),
          partner_id: z.string().nullable(),
          environment: environmentSchema.nullable(),
          what: z.string().nullable().describe("The event, the operation, the status or the last failure"),
          since: z.string(),
        }),
      ),
      next: z.null(),
    }),
    example: "deliveries",
    run: async ({ deps }, { query: { kind } }) => ({
      data: (await lateRows(deps, kind, MOST_LATE)).map(({ partnerId, since, ...row }) => ({
        ...row,
        partner_id: partnerId,
        since: isoTime(since),
      })),
      next: null,
    }),
  }),
  defineCall({
    command: "status",
    path: "/ops/health",
    role: "any",
    summary: "Checks databases, stores, queues, cron, the processor's and the bank's keys, event destinations, and late work",
    answer: healthAnswer,
    run: ({ deps }) => healthOf(deps),
  }),
];

/** The whole health check, for operators. With `reach`, a database out of reach leaves unknown what only it knows. */
export async function healthOf(deps: Deps): Promise<z.input<typeof healthAnswer>> {
  const checks = await checkHealth(deps);
  const status = worstOf(checks);
  const { dashboardOrigin, shortLinkOrigin } = deps.settings;
  return {
    success: status !== "failed",
    status,
    at: isoTime(deps.clock.now()),
    dashboard_origin: dashboardOrigin,
    short_link_origin: shortLinkOrigin,
    checks,
  };
}
