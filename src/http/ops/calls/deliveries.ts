import * as z from "zod";
import { type Environment, environmentSchema } from "../../../core/environment.ts";
import { rejectInput } from "../../../core/errors.ts";
import { endpointIdOf, partnerOfEndpoint } from "../../../core/ids.ts";
import { jsonObjectSchema, parseJson } from "../../../core/json.ts";
import { findPartner } from "../../../partners/admin/partners.ts";
import { getDelivery, hasEndpoint, listDeliveries } from "../../../webhooks/admin/admin.ts";
import { type ResendResult, resendEvent } from "../../../webhooks/admin/resend.ts";
import { deliveriesOfMany, searchDeliveries } from "../../../webhooks/admin/search-deliveries.ts";
import { eventNames } from "../../../webhooks/admin/test-event.ts";
import { deliveryStates } from "../../../webhooks/endpoints/delivery-state.ts";
import { viewPage } from "../../calls/lists.ts";
import { pageKeyIn, pageOf, pageQuery, periodOf, periodQuery, sortedPage } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { attemptAnswer, deliveryAnswer, viewAttempt, viewDelivery } from "../../calls/webhook-views.ts";
import { defineCall } from "../define-call.ts";
import { listed } from "../list-data.ts";

const NO_EVENT = "There is no such event.";
const NO_PARTNER = "There is no such partner or endpoint.";

export const deliveryCalls = [
  defineCall({
    command: "deliveries list",
    method: "GET",
    path: "/ops/deliveries",
    role: "any",
    summary: "Events with their delivery state, newest first: of a webhook, of a partner, or of all",
    query: z.object({
      partner: z.string().optional(),
      endpoint: z.string().optional(),
      environment: environmentSchema.optional().describe("Of a partner, both are the default; of all partners, live"),
      state: z.enum(deliveryStates).optional().describe("Only in this state; of a webhook, the default is exhausted"),
      event: z.enum(eventNames).optional().describe("Only events of this kind"),
      ...periodQuery,
      ...pageQuery,
    }),
    answer: pageOf(deliveryAnswer),
    example: "--endpoint ep_acme_live --state pending",
    async run({ deps }, { query }) {
      const { limit, cursor, ...wanted } = query;
      if (isSearch(wanted)) {
        const { partner, state, event, environment = "live" } = wanted;
        const found = await listed(deps, { ...query, environment }, (data, list) =>
          partner === undefined
            ? deliveriesOfMany(data, list, { state, name: event })
            : searchDeliveries(
                data,
                { ...periodOf(wanted), endpointId: endpointIdOf(partner, environment), state, name: event },
                list.before,
                limit,
              ),
        );
        return viewPage(found, viewDelivery);
      }
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
  readonly environment?: Environment | undefined;
  readonly event?: string | undefined;
  readonly state?: (typeof deliveryStates)[number] | undefined;
}

type DeliveryTarget = { readonly partnerId: string } | { readonly endpointId: string; readonly state: (typeof deliveryStates)[number] };

/** Whether the events of all partners are wanted, or only some of a partner's. A webhook has one list for each state. */
function isSearch({ partner, endpoint, environment, event, state }: Wanted): boolean {
  if (endpoint === undefined) return partner === undefined || environment !== undefined || event !== undefined || state !== undefined;
  if (partner !== undefined) rejectInput("endpoint: give either a partner or a webhook", "endpoint");
  if (environment !== undefined || event !== undefined) rejectInput("endpoint: goes with `state` alone", "endpoint");
  return false;
}

function filterOf({ partner, endpoint, state }: Wanted): DeliveryTarget {
  return endpoint === undefined ? { partnerId: partner ?? "" } : { endpointId: endpoint, state: state ?? "exhausted" };
}
