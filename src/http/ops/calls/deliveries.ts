import * as z from "zod";
import { rejectInput } from "../../../core/errors.ts";
import { partnerOfEndpoint } from "../../../core/ids.ts";
import { jsonObjectSchema, parseJson } from "../../../core/json.ts";
import { findPartner } from "../../../partners/admin/partners.ts";
import { getDelivery, hasEndpoint, listDeliveries } from "../../../webhooks/admin/admin.ts";
import { type ResendResult, resendEvent } from "../../../webhooks/admin/resend.ts";
import { deliveryStates } from "../../../webhooks/endpoints/delivery-state.ts";
import { pageKeyIn, pageOf, pageQuery, periodOf, periodQuery, sortedPage } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { attemptAnswer, deliveryAnswer, viewAttempt, viewDelivery } from "../../calls/webhook-views.ts";
import { defineCall } from "../define-call.ts";

const NO_EVENT = "There is no such event.";
const NO_PARTNER = "There is no such partner or endpoint.";

export const deliveryCalls = [
  defineCall({
    command: "deliveries list",
    method: "GET",
    path: "/ops/deliveries",
    role: "any",
    summary: "Events with their delivery state, newest first: of a partner, or of a webhook in one state",
    query: z.object({
      partner: z.string().optional(),
      endpoint: z.string().optional(),
      state: z.enum(deliveryStates).optional().describe("With an endpoint; default exhausted"),
      ...periodQuery,
      ...pageQuery,
    }),
    answer: pageOf(deliveryAnswer),
    example: "--endpoint ep_acme_live --state pending",
    async run({ deps }, { query: { limit, cursor, ...wanted } }) {
      const filter = { ...filterOf(wanted), ...periodOf(wanted) };
      const partnerId = "partnerId" in filter ? filter.partnerId : partnerOfEndpoint(filter.endpointId);
      const location = partnerId === null ? null : await deps.locationOf(partnerId, { fresh: true });
      if (location === null) notFound(NO_PARTNER);
      const own = deps.ofPartner(location);
      if ("endpointId" in filter && (await deps.askDatabase(own.databaseName, () => hasEndpoint(own, filter.endpointId))) === false)
        notFound(NO_PARTNER);
      const before = pageKeyIn(cursor);
      const found = await Promise.all(
        own.data.cells.map((cell) => deps.askDatabase(cell.databaseName, () => listDeliveries(cell, filter, before, limit + 1))),
      );
      return sortedPage(
        found.flatMap((rows) => rows ?? []).map((delivery) => ({ ...delivery, key: [delivery.createdAt, delivery.eventId] })),
        limit,
        viewDelivery,
      );
    },
  }),
  defineCall({
    command: "deliveries show",
    method: "GET",
    path: "/ops/deliveries/{event}",
    role: "any",
    summary: "An event as it is sent, with all its delivery attempts",
    answer: deliveryAnswer.extend({ attempt_list: z.array(attemptAnswer), message: z.record(z.string(), z.unknown()) }),
    example: "evt_0123…",
    async run({ deps }, { params }) {
      const { found } = (await deps.findById(params.event, (cell) => getDelivery(cell, params.event))) ?? notFound(NO_EVENT);
      return { ...viewDelivery(found), attempt_list: found.attemptList.map(viewAttempt), message: parseJson(jsonObjectSchema, found.body) };
    },
  }),
  defineCall({
    command: "deliveries resend",
    method: "POST",
    path: "/ops/deliveries/{event}/resend",
    role: "support",
    summary: "Resends an event now, and shows the receiver's answer",
    answer: z.object({
      success: z.boolean(),
      event: z.string(),
      attempt: attemptAnswer.pick({ number: true, status: true, error: true, answer: true }),
    }),
    example: "evt_0123…",
    async run({ deps, actor }, { params }) {
      const event = params.event;
      const known = await deps.findById(event, (cell) => getDelivery(cell, event));
      if (known === null) return viewResent(event, { outcome: "unknown_event" });
      const { partnerId } = known.found;
      const isDisabled = (await findPartner(deps.directory, partnerId))?.status === "disabled";
      if (isDisabled) conflict(`Its partner is disabled. \`partners enable ${partnerId}\` comes first.`);
      const { cell } = await deps.pullToCurrentCell("events", event, known);
      return viewResent(event, await resendEvent(cell, event, actor));
    },
  }),
];

function viewResent(event: string, resent: ResendResult) {
  switch (resent.outcome) {
    case "sent": {
      const { number, result } = resent;
      const attempt = { number, status: result.status, error: result.errorClass, answer: result.excerpt };
      return { success: result.errorClass === null, event, attempt };
    }
    case "in_progress":
      return conflict("A delivery attempt is in progress. Check its result.");
    case "no_endpoint":
      return conflict("Its partner has registered no webhook for that environment.");
    case "held":
      return conflict("The webhook is suspended.");
    case "unknown_event":
      return notFound(NO_EVENT);
  }
}

interface Wanted {
  readonly partner?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly state?: (typeof deliveryStates)[number] | undefined;
}

type DeliveryTarget = { readonly partnerId: string } | { readonly endpointId: string; readonly state: (typeof deliveryStates)[number] };

function filterOf({ partner, endpoint, state }: Wanted): DeliveryTarget {
  if (partner !== undefined && state !== undefined) rejectInput("state: goes with an endpoint, not with a partner", "state");
  if (partner !== undefined) return { partnerId: partner };
  if (endpoint === undefined) rejectInput("give ?partner=<id>, or ?endpoint=<id>&state=<state>", "partner");
  return { endpointId: endpoint, state: state ?? "exhausted" };
}
