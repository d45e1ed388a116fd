import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { rejectInput } from "../../../core/errors.ts";
import { toMajorUnits } from "../../../core/money.ts";
import { ledgerStatus, refreshObject, retryParked } from "../../../ledger/admin.ts";
import { knownIdPrefixes } from "../../../ledger/sources.ts";
import { defineCall } from "../call.ts";
import { notFound } from "../refusal.ts";

const text = z.string().nullable();

const ledgerAnswer = z.object({
  unattributed: z.object({
    count: z.int(),
    newest: z.array(
      z.object({
        id: z.string(),
        environment: environmentSchema,
        amount: z.number(),
        currency: z.string(),
        type: text,
        status: z.string(),
        transaction_date: z.string(),
        payment_intent_id: text,
        source_id: text,
        subscription_id: text,
      }),
    ),
  }),
  parked: z.object({
    count: z.int(),
    newest: z.array(z.object({ id: z.string(), environment: environmentSchema, attempts: z.int(), last_error: text, since: z.string() })),
  }),
  reconciliations: z.array(z.object({ name: z.string(), compared_until: z.string(), missing_count: z.int(), last_run_at: z.string() })),
});

export const ledgerCalls = [
  defineCall({
    command: "ledger show",
    method: "GET",
    path: "/ops/ledger",
    role: "any",
    summary: "Movements without a partner, what is parked, and how far the reconciliations have come",
    answer: ledgerAnswer,
    example: "",
    run: async ({ deps }) => view(await ledgerStatus(deps)),
  }),
  defineCall({
    command: "ledger refresh",
    method: "POST",
    path: "/ops/ledger/refresh",
    role: "support",
    summary: "Asks the processor for a ch_, pi_, re_, du_, txn_ or sub_ now, and records what it says",
    body: z.strictObject({
      environment: environmentSchema,
      id: z.string("must be an id of the processor's").max(255, "must be at most 255 characters"),
    }),
    positional: ["environment", "id"],
    answer: z.object({ success: z.boolean(), found: z.array(z.object({ id: z.string(), partner_id: text })) }),
    example: "live pi_0123…",
    async run({ deps, actor }, { body: { environment, id } }) {
      const refreshed = await refreshObject(deps.inDirectory(), environment, id, actor);
      if (refreshed === null) rejectInput(`id: must be an id that begins with ${knownIdPrefixes().join(", ")}`, "id");
      return { success: true, found: refreshed.map((one) => ({ id: one.id, partner_id: one.partnerId })) };
    },
  }),
  defineCall({
    command: "ledger retry",
    method: "POST",
    path: "/ops/ledger/parked/{id}/retry",
    role: "support",
    summary: "Tries a parked payment or subscription again from the start",
    answer: z.object({ success: z.boolean(), id: z.string() }),
    example: "pi_0123…",
    async run({ deps, actor }, { params }) {
      const id = params.id;
      if (!(await retryParked(deps, id, actor))) notFound("Nothing of that id is parked.");
      return { success: true, id };
    },
  }),
];

function view({ unattributed, parked, reconciliations }: Awaited<ReturnType<typeof ledgerStatus>>) {
  return {
    unattributed: {
      count: unattributed.count,
      newest: unattributed.newest.map((movement) => ({
        id: movement.id,
        environment: movement.environment,
        amount: toMajorUnits(movement.amount, movement.currency),
        currency: movement.currency,
        type: movement.type,
        status: movement.status,
        transaction_date: isoTime(movement.transactionDate),
        payment_intent_id: movement.paymentIntentId,
        source_id: movement.sourceId,
        subscription_id: movement.subscriptionId,
      })),
    },
    parked: {
      count: parked.count,
      newest: parked.newest.map((refresh) => ({
        id: refresh.subject,
        environment: refresh.environment,
        attempts: refresh.attempts,
        last_error: refresh.lastError,
        since: isoTime(refresh.since),
      })),
    },
    reconciliations: reconciliations.map(({ name, comparedUntil, missingCount, updatedAt }) => ({
      name,
      compared_until: isoTime(comparedUntil),
      missing_count: missingCount,
      last_run_at: isoTime(updatedAt),
    })),
  };
}
