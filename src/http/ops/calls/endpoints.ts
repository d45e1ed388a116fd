import * as z from "zod";
import { reEncryptChats } from "../../../chats/store.ts";
import { isoTimeOrNull } from "../../../core/clock.ts";
import { partnerOfEndpoint } from "../../../core/ids.ts";
import type { CellDeps, Deps, PartnerDeps } from "../../../deps.ts";
import { contactsOf, findPartner } from "../../../partners/admin/partners.ts";
import {
  listEndpoints,
  listUnhealthyEndpoints,
  resendExhausted,
  resendPeriod,
  resumeManually,
  suspendManually,
} from "../../../webhooks/admin/admin.ts";
import { reEncryptSecrets } from "../../../webhooks/admin/re-encrypt-secrets.ts";
import { pageKeyIn, pageOf, pageQuery, sortedPage, timeField } from "../../calls/paging.ts";
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
async function cellOfEndpoint(deps: Deps, id: string): Promise<CellDeps | null> {
  const partnerId = partnerOfEndpoint(id);
  return partnerId === null ? null : cellOfPartner(deps, partnerId);
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
        const endpoint = cell === null ? undefined : await change(cell, params.id, actor);
        return { success: true, endpoint: viewEndpoint(endpoint ?? notFound(NO_ENDPOINT), deps.clock.now()) };
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
    answer: z.object({ success: z.boolean(), restarted: z.int(), endpoint: endpointAnswer }),
    example: "ep_acme_live --since 2026-11-01",
    async run({ deps, actor }, { params, query }) {
      const cell = await cellOfEndpoint(deps, params.id);
      const sent = cell === null ? undefined : await resendExhausted(cell, params.id, actor, query.since);
      const { endpoint, restarted } = sent ?? notFound(NO_ENDPOINT);
      if (endpoint.status === "suspended") refuseSuspended(endpoint);
      return { success: true, restarted, endpoint: viewEndpoint(endpoint, deps.clock.now()) };
    },
  }),
  defineCall({
    command: "endpoints send-again",
    method: "POST",
    path: "/ops/endpoints/{id}/send-again",
    role: "support",
    summary: "Resends all events of a webhook since a time, delivered ones too, up to two thousand per call",
    query: z.object({
      since: timeField.describe("Events made since this date or time"),
      until: timeField.optional().describe("Only events made before this time; default now"),
    }),
    answer: z.object({
      success: z.boolean(),
      restarted: z.int(),
      next_since: z.string().nullable().describe("More remain: call again with this as --since; null on the last call"),
      endpoint: endpointAnswer,
    }),
    example: "ep_acme_live --since 2026-11-01",
    async run({ deps, actor }, { params, query: { since: from, until } }) {
      const cell = await cellOfEndpoint(deps, params.id);
      const period = { from, to: until ?? deps.clock.now() };
      const { endpoint, restarted, nextFrom } = (cell && (await resendPeriod(cell, params.id, actor, period))) ?? notFound(NO_ENDPOINT);
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
