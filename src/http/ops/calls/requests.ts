import { permissions } from "../../../partners/permissions.ts";
import { listOwnRequests, requestsAnswer, requestsQuery } from "../../partner/calls/requests.ts";
import { defineCall } from "../define-call.ts";
import { requireLocation } from "./partners.ts";

export const requestCalls = [
  defineCall({
    command: "requests list",
    method: "GET",
    path: "/ops/partners/{partner}/requests",
    role: "any",
    summary: "A partner's requests, newest first: what was created, what was refused and why, and what a repeat does",
    query: requestsQuery,
    answer: requestsAnswer,
    example: "acme --outcome refused",
    async run({ deps }, { params: { partner }, query }) {
      const location = await requireLocation(deps, partner);
      const holder = { kind: "person", employeeId: "operator" } as const;
      const caller = { ...location, partnerId: partner, holder, permissions: new Set(permissions), cancelPermission: null };
      return listOwnRequests({ own: deps.ofPartner(location), caller }, query);
    },
  }),
];
