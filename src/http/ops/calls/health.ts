import * as z from "zod";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import type { Deps } from "../../../deps.ts";
import { checkHealth } from "../../../health/check.ts";
import { healthStates, worstOf } from "../../../health/finding.ts";
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
    }),
  ),
});

export const healthCalls = [
  defineCall({
    command: "waiting",
    method: "GET",
    path: "/ops/waiting",
    role: "any",
    summary: "What waits for a person: how many of each kind, since when the oldest, and the command that lists them",
    answer: z.object({
      data: z.array(
        z.object({
          kind: z.string(),
          count: z.int().describe(`Where each has to be read, at most ${MOST_COUNTED}`),
          oldest: z.string().nullable().describe("Null if none waits, or it is not known"),
          command: z.string(),
        }),
      ),
      next: z.null(),
    }),
    example: "",
    run: async ({ deps }) => ({
      data: (await waitingForPerson(deps)).map(({ oldest, ...one }) => ({ ...one, oldest: isoTimeOrNull(oldest) })),
      next: null,
    }),
  }),
  defineCall({
    command: "status",
    method: "GET",
    path: "/ops/health",
    role: "any",
    summary: "Checks databases, stores, queues, cron, the processor's and the bank's keys, event destinations, and late work",
    answer: healthAnswer,
    example: "",
    run: ({ deps }) => healthOf(deps),
  }),
];

/** The whole health check, for operators. */
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
