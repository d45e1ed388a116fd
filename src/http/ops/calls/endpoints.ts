import * as z from "zod";
import { reEncryptChats } from "../../../chats/store.ts";
import { isoTimeOrNull } from "../../../core/clock.ts";
import { partnerOfEndpoint } from "../../../core/ids.ts";
import type { Deps, PartnerDeps } from "../../../deps.ts";
import { contactsOf, findPartner } from "../../../partners/admin/partners.ts";
import {
  firstPageOf,
  listEndpoints,
  listUnhealthyEndpoints,
  resendExhausted,
  resendPeriod,
  resumeManually,
  suspendManually,
} from "../../../webhooks/admin/admin.ts";
import { reEncryptSecrets } from "../../../webhooks/admin/re-encrypt-secrets.ts";
import { countExhausted, endedOfPeriod, oldestExhausted } from "../../../webhooks/admin/restart.ts";
import { pageKeyIn, pageOf, pageQuery, sortedPage, timeField, untilField } from "../../calls/paging.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { endpointAnswer, viewEndpoint } from "../../calls/webhook-views.ts";
import { defineCall } from "../define-call.ts";

const NO_ENDPOINT = "There is no such endpoint. `endpoints list --partner <id>` shows a partner's.";

/** The cell of a partner. Null for an unknown partner. */
async function cellOfPartner(deps: Deps, partnerId: string): Promise<PartnerDeps | null> {
  const location = await deps.locationOf(partnerId, { fresh: true });
  return location === null ? null : deps.ofPartner(location);
}

/** The cell of the endpoint's partner. Null if there is no such partner. */
async function cellOfEndpoint(deps: Deps, id: string): Promise<PartnerDeps | null> {
  const partnerId = partnerOfEndpoint(id);
  return partnerId === null ? null : cellOfPartner(deps, partnerId);
}

/**
 * The current cell of the endpoint's partner, with the wanted deliveries from its earlier cells: it is the only one that sends.
 * Null if there is no such partner.
 */
async function cellWithEarlier(deps: Deps, id: string, wanted: Parameters<Deps["pullRows"]>[3]): Promise<PartnerDeps | null> {
  const partnerId = partnerOfEndpoint(id) ?? "";
  const location = await deps.locationOf(partnerId, { fresh: true });
  if (location === null) return null;
  const from = location.earlier.map(({ cell }) => cell);
  if (from.length > 0) await deps.pullRows({ from, to: location.cell }, "events", partnerId, wanted);
  return deps.ofPartner(location);
}

async function unhealthyPage(deps: Deps, limit: number, cursor: string | undefined) {
  const before = pageKeyIn(cursor);
  const found = await Promise.all(
    deps.everyCell().map((cell) => deps.askDatabase(cell.databaseName, () => listUnhealthyEndpoints(cell, before, limit + 1))),
  );
  const rows = found.flatMap((rowsOf) => rowsOf ?? []).map((endpoint) => ({ ...endpoint, key: [endpoint.updatedAt, endpoint.id] }));
  const contacts = await contactsOf(
    deps.directory,
    rows.map(({ partnerId }) => partnerId),
  );
  return sortedPage(rows, limit, (endpoint) => viewListed(endpoint, deps, contacts));
}

function refuseUnregistered(): never {
  conflict(
    "Its partner unregistered it, so it gets nothing. To keep the partner from registering it again, take `webhook_config` from its keys and people.",
  );
}

function refuseSuspended({ suspensionReason, partnerId }: { readonly suspensionReason: string | null; readonly partnerId: string }): never {
  if (suspensionReason === "unregistered") conflict("Its partner unregistered it. The partner registers or resumes it.");
  if (suspensionReason === "partner_disabled") conflict(`Its partner is disabled. \`partners enable ${partnerId}\` comes first.`);
  conflict("This endpoint is suspended: resume it first.");
}

const since = timeField.optional().transform((start) => start ?? 0);

const listedEndpoint = endpointAnswer.extend({ contact: z.string().nullable().describe("The partner's contact") });

function viewListed(endpoint: Parameters<typeof viewEndpoint>[0], { clock }: Pick<Deps, "clock">, contacts: ReadonlyMap<string, string>) {
  return { ...viewEndpoint(endpoint, clock.now()), contact: contacts.get(endpoint.partnerId) ?? null };
}

export const endpointCalls = [
  defineCall({
    command: "endpoints list",
    method: "GET",
    path: "/ops/endpoints",
    role: "any",
    summary: "Webhooks that fail, are in cooldown or suspended; of a partner, all of them",
    query: z.object({ partner: z.string().optional(), ...pageQuery }),
    answer: pageOf(listedEndpoint),
    example: "--partner acme",
    async run({ deps }, { query: { partner, limit, cursor } }) {
      if (partner === undefined) return unhealthyPage(deps, limit, cursor);
      const cell = (await cellOfPartner(deps, partner)) ?? notFound("There is no such partner.");
      const found = (await deps.askDatabase(cell.databaseName, () => listEndpoints(cell, partner))) ?? [];
      const contacts = await contactsOf(deps.directory, [partner]);
      return { data: found.map((endpoint) => viewListed(endpoint, deps, contacts)), next: null };
    },
  }),
  ...[
    ["suspend", suspendManually, "Suspends a webhook; its events are kept"] as const,
    ["resume", resumeManually, "Resumes a webhook, and sends the kept events"] as const,
  ].map(([verb, change, summary]) =>
    defineCall({
      command: `endpoints ${verb}`,
      method: "POST",
      path: `/ops/endpoints/{id}/${verb}`,
      role: "admin",
      summary,
      answer: z.object({ success: z.boolean(), endpoint: endpointAnswer }),
      example: "ep_acme_live",
      async run({ deps, actor }, { params }) {
        const partner = await findPartner(deps.directory, partnerOfEndpoint(params.id) ?? "");
        if (verb === "resume" && partner?.status === "disabled") {
          conflict(`Its partner is disabled. \`partners enable ${partner.id}\` comes first.`);
        }
        const cell = await cellOfEndpoint(deps, params.id);
        const endpoint = (cell === null ? undefined : await change(cell, params.id, actor)) ?? notFound(NO_ENDPOINT);
        if (verb === "suspend" && endpoint.suspensionReason !== "operator") refuseUnregistered();
        if (verb === "resume" && endpoint.status === "suspended") refuseSuspended(endpoint);
        return { success: true, endpoint: viewEndpoint(endpoint, deps.clock.now()) };
      },
    }),
  ),
  defineCall({
    command: "endpoints send-exhausted",
    method: "POST",
    path: "/ops/endpoints/{id}/send-exhausted",
    role: "support",
    summary: "Restarts exhausted deliveries",
    query: z.object({ since: since.describe("Only events made since this time") }),
    answer: z.object({
      success: z.boolean(),
      restarted: z.int(),
      left: z
        .int()
        .describe("Those of a partner that was split by time are brought back a hundred at a time: call again until none is left"),
      endpoint: endpointAnswer,
    }),
    example: "ep_acme_live --since 2026-11-01",
    async run({ deps, actor }, { params, query }) {
      const cell = (await cellWithEarlier(deps, params.id, oldestExhausted(params.id, query.since))) ?? notFound(NO_ENDPOINT);
      const { endpoint, restarted } = (await resendExhausted(cell, params.id, actor, query.since)) ?? notFound(NO_ENDPOINT);
      if (endpoint.status === "suspended") refuseSuspended(endpoint);
      const counts = await Promise.all(cell.data.cells.slice(1).map(({ db }) => countExhausted(db, params.id, query.since)));
      const left = counts.reduce((sum, one) => sum + one, 0);
      return { success: true, restarted, left, endpoint: viewEndpoint(endpoint, deps.clock.now()) };
    },
  }),
  defineCall({
    command: "endpoints send-again",
    method: "POST",
    path: "/ops/endpoints/{id}/send-again",
    role: "support",
    summary: "Resends all events of a webhook since a time, delivered ones too, some two thousand per call",
    query: z.object({
      since: timeField.describe("Events made since this date or time"),
      until: untilField.optional().describe("Only events made up to the end of this date, or before this time; default now"),
    }),
    answer: z.object({
      success: z.boolean(),
      restarted: z.int(),
      next_since: z.string().nullable().describe("More remain: call again with this as --since; null on the last call"),
      endpoint: endpointAnswer,
    }),
    example: "ep_acme_live --since 2026-11-01",
    async run({ deps, actor }, { params, query: { since: from, until } }) {
      const { id } = params;
      const own = (await cellOfEndpoint(deps, id)) ?? notFound(NO_ENDPOINT);
      const { page, nextFrom } = await firstPageOf(own.data, id, { from, to: until ?? deps.clock.now() });
      const cell = (await cellWithEarlier(deps, id, endedOfPeriod(id, page))) ?? notFound(NO_ENDPOINT);
      const { endpoint, restarted } = (await resendPeriod(cell, id, actor, page)) ?? notFound(NO_ENDPOINT);
      if (endpoint.status === "suspended") refuseSuspended(endpoint);
      const next = isoTimeOrNull(nextFrom);
      return { success: true, restarted, next_since: next, endpoint: viewEndpoint(endpoint, deps.clock.now()) };
    },
  }),
  defineCall({
    command: "secrets re-encrypt",
    method: "POST",
    path: "/ops/secrets/re-encrypt",
    role: "admin",
    summary: "Encrypts signing secrets with the current key, up to 200 per cell and call: repeat until none is left",
    answer: z.object({ success: z.boolean(), re_encrypted: z.int(), undecryptable: z.array(z.string()), left: z.int() }),
    example: "",
    async run({ deps, actor }) {
      const { reEncrypted, undecryptable, left } = await reEncryptSecrets(deps, actor);
      const chats = await reEncryptChats(deps);
      return {
        success: true,
        re_encrypted: reEncrypted + chats.count,
        undecryptable: [...undecryptable, ...chats.undecryptable],
        left: left + chats.undecryptable.length,
      };
    },
  }),
];
