import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { rejectInput } from "../../../core/errors.ts";
import { toMajorUnits } from "../../../core/money.ts";
import { ledgerStatus, type RefreshedObject, refreshObject, retryParked } from "../../../ledger/admin.ts";
import { endedStates } from "../../../ledger/refreshes-store.ts";
import { knownIdPrefixes } from "../../../ledger/sources.ts";
import { assignMovement, dismissMovement, dismissParked, listParked, listUnattributed } from "../../../ledger/unresolved.ts";
import { reasonField } from "../../calls/call.ts";
import { pageKeyIn, pageOf, pageQuery, sortedPage } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { requirePartner } from "../../objects/partner-lookup.ts";
import { wire } from "../../wire.ts";
import { defineCall } from "../define-call.ts";

const text = z.string().nullable();

const movementAnswer = z.object({
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
});

const parkedAnswer = z.object({
  id: z.string(),
  environment: environmentSchema,
  state: z.enum(endedStates),
  attempts: z.int(),
  last_error: text,
  since: z.string(),
});

const ledgerAnswer = z.object({
  unattributed: z.object({ count: z.int(), newest: z.array(movementAnswer) }),
  parked: z.object({ count: z.int(), newest: z.array(parkedAnswer) }),
  gone: z.object({ count: z.int().describe("Objects that the processor does not have, and that were set aside") }),
  reconciliations: z.array(z.object({ name: z.string(), compared_until: z.string(), missing_count: z.int(), last_run_at: z.string() })),
});

const foundAnswer = z.object({ id: z.string(), partner_id: text });
const viewFound = ({ id, partnerId }: RefreshedObject) => ({ id, partner_id: partnerId });
const done = z.object({ success: z.boolean(), id: z.string() });
const NOT_PARKED = "Nothing with this id is parked or gone.";

type Waiting = Awaited<ReturnType<typeof ledgerStatus>>;

export const ledgerCalls = [
  defineCall({
    command: "ledger show",
    path: "/ops/ledger",
    role: "any",
    summary: "Movements without a partner, parked objects, and the progress of reconciliations",
    answer: ledgerAnswer,
    run: async ({ deps }) => view(await ledgerStatus(deps)),
  }),
  defineCall({
    command: "ledger refresh",
    method: "POST",
    path: "/ops/ledger/refresh",
    role: "support",
    summary: "Refreshes a ch_, pi_, re_, du_, txn_ or sub_ from the processor",
    body: z.strictObject({
      environment: environmentSchema,
      id: z.string("must be one of the processor's ids").max(255, "must be at most 255 characters"),
    }),
    positional: ["environment", "id"],
    answer: z.object({ success: z.boolean(), found: z.array(foundAnswer) }),
    example: "live pi_0123…",
    async run({ deps, actor }, { body: { environment, id } }) {
      const refreshed = await refreshObject(deps.inDirectory(), environment, id, actor);
      if (refreshed === null) rejectInput(`id: must start with ${knownIdPrefixes().join(", ")}`, "id");
      return { success: true, found: refreshed.map(viewFound) };
    },
  }),
  defineCall({
    command: "movements waiting",
    path: "/ops/ledger/unattributed",
    role: "any",
    summary: "Movements without a known partner, newest first",
    query: z.object(pageQuery),
    answer: pageOf(movementAnswer),
    async run({ deps }, { query: { limit, cursor } }) {
      const found = await listUnattributed(deps, pageKeyIn(cursor), limit + 1);
      const rows = found.map((movement) => ({ ...movement, key: [movement.transactionDate, movement.id] }));
      return sortedPage(rows, limit, viewMovement);
    },
  }),
  defineCall({
    command: "movements assign",
    method: "POST",
    path: "/ops/ledger/unattributed/{id}/assign",
    role: "admin",
    summary: "Sets the partner of a movement, and of all others of its payment; the partner gets their events",
    irreversible: "The partner then sees the payment. This cannot be undone.",
    body: z.strictObject({ partner_id: z.string(), reason: reasonField }),
    positional: ["partner_id", "reason"],
    answer: z.object({ success: z.boolean(), found: z.array(foundAnswer) }),
    example: 'processor:txn_0123… acme "Paid by a link that acme made manually"',
    async run({ deps, actor }, { params: { id }, body }) {
      const partner = await requirePartner(deps, body.partner_id);
      const assigned = await assignMovement(deps.inDirectory(), { id, partnerId: partner.id, reason: body.reason }, actor);
      switch (assigned.outcome) {
        case "unknown":
          return notFound("There is no movement without a partner with this id.");
        case "no_payment":
          return conflict("It belongs to no payment and no subscription, so it cannot have a partner. Dismiss it.");
        case "owned":
          return conflict(
            `Its payment or subscription is partly ${assigned.partnerId}'s. Correct the data at the processor, then \`ledger refresh\`.`,
          );
        case "assigned":
          return { success: true, found: assigned.found.map(viewFound) };
      }
    },
  }),
  defineCall({
    command: "movements dismiss",
    method: "POST",
    path: "/ops/ledger/unattributed/{id}/dismiss",
    role: "support",
    summary: "Removes a movement from the list of waiting ones; it stays in the ledger",
    body: z.strictObject({ reason: reasonField }),
    positional: ["reason"],
    answer: done,
    example: 'processor:txn_0123… "Our own test"',
    async run({ deps, actor }, { params: { id }, body }) {
      if (!(await dismissMovement(deps, { id, reason: body.reason }, actor)))
        notFound("There is no movement without a partner with this id.");
      return { success: true, id };
    },
  }),
  defineCall({
    command: "parked-payments list",
    path: "/ops/ledger/parked",
    role: "any",
    summary: "Payments and subscriptions whose look-ups ended without success, newest first",
    query: z.object({
      state: z.enum(endedStates).default("parked").describe("parked: they failed too often; gone: the processor has no such object"),
      ...pageQuery,
    }),
    answer: pageOf(parkedAnswer),
    async run({ deps }, { query: { state, limit, cursor } }) {
      const found = await listParked(deps, state, pageKeyIn(cursor), limit + 1);
      return sortedPage(
        found.map((refresh) => ({ ...refresh, key: [refresh.since, refresh.subject] })),
        limit,
        viewParked,
      );
    },
  }),
  defineCall({
    command: "parked-payments retry",
    method: "POST",
    path: "/ops/ledger/parked/{id}/retry",
    role: "support",
    summary: "Restarts the attempts at a payment or subscription that is parked or gone",
    answer: done,
    example: "pi_0123…",
    async run({ deps, actor }, { params: { id } }) {
      if (!(await retryParked(deps, id, actor))) notFound(NOT_PARKED);
      return { success: true, id };
    },
  }),
  defineCall({
    command: "parked-payments dismiss",
    method: "POST",
    path: "/ops/ledger/parked/{id}/dismiss",
    role: "support",
    summary: "Removes a payment or subscription that is parked or gone from the list; a new event brings it back",
    body: z.strictObject({ reason: reasonField }),
    positional: ["reason"],
    answer: done,
    example: 'pi_0123… "Deleted at the processor"',
    async run({ deps, actor }, { params: { id }, body }) {
      if (!(await dismissParked(deps, { id, reason: body.reason }, actor))) notFound(NOT_PARKED);
      return { success: true, id };
    },
  }),
];

const fieldsOf = wire(movementAnswer);

const viewMovement = (movement: Waiting["unattributed"]["newest"][number]) => ({
  ...fieldsOf(movement),
  amount: toMajorUnits(movement.amount, movement.currency),
  transaction_date: isoTime(movement.transactionDate),
});

function viewParked({ subject, environment, state, attempts, lastError, since }: Waiting["parked"]["newest"][number]) {
  return { id: subject, environment, state: z.enum(endedStates).parse(state), attempts, last_error: lastError, since: isoTime(since) };
}

function view({ unattributed, parked, gone, reconciliations }: Waiting) {
  return {
    unattributed: { count: unattributed.count, newest: unattributed.newest.map(viewMovement) },
    parked: { count: parked.count, newest: parked.newest.map(viewParked) },
    gone: { count: gone.count },
    reconciliations: reconciliations.map(({ name, comparedUntil, missingCount, updatedAt }) => ({
      name,
      compared_until: isoTime(comparedUntil),
      missing_count: missingCount,
      last_run_at: isoTime(updatedAt),
    })),
  };
}
