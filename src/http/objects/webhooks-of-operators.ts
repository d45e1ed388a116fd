import * as z from "zod";
import { isoTimeOrNull } from "../../core/clock.ts";
import { endpointIn, MAIL_CODE_LENGTH, partnerOfEndpoint } from "../../core/ids.ts";
import { UTC } from "../../core/time-zone.ts";
import type { Deps, PartnerDeps } from "../../deps.ts";
import { contactsOf, findPartner } from "../../partners/admin/partners.ts";
import { summaryOfWebhook } from "../../summaries/of-objects.ts";
import {
  firstPageOf,
  listEndpoints,
  listUnhealthyEndpoints,
  resendPeriod,
  resumeManually,
  suspendManually,
} from "../../webhooks/admin/admin.ts";
import { reEncryptSecrets } from "../../webhooks/admin/re-encrypt-secrets.ts";
import { countRestartable, endedOfPeriod, oldestExhausted, restartDeliveries } from "../../webhooks/admin/restart.ts";
import { toldReason } from "../calls/call.ts";
import { momentField, startOf, untilOf } from "../calls/moments.ts";
import { pageKeyIn, pageOf, pageQuery, sortedPage } from "../calls/paging.ts";
import { conflict, notFound } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import { requireLocation } from "./partner-lookup.ts";
import { summaryField } from "./rows.ts";
import { ownedWebhook, viewWebhook } from "./webhook-view.ts";

const NO_ENDPOINT = "There is no such endpoint. `endpoints list --partner <id>` shows a partner's.";

/**
 * The data of the endpoint's partner, with the `wanted` deliveries brought from its earlier cells to the current one: it is the only
 * one that sends. @throws CallRefusal 404
 */
async function ownerOf(deps: Deps, id: string, wanted?: Parameters<Deps["pullRows"]>[3]): Promise<PartnerDeps> {
  const partnerId = partnerOfEndpoint(id) ?? notFound(NO_ENDPOINT);
  const location = (await deps.locationOf(partnerId, { fresh: true })) ?? notFound(NO_ENDPOINT);
  const from = location.earlier.map(({ cell }) => cell);
  if (wanted !== undefined && from.length > 0) await deps.pullRows({ from, to: location.cell }, "events", partnerId, wanted);
  return deps.ofPartner(location);
}

/** @throws CallRefusal 409 for an e-mail address: a message to people is sent once */
function refuseMail(id: string): void {
  if (endpointIn(id)?.code.length === MAIL_CODE_LENGTH) conflict("A message goes to an e-mail address once: none is sent again.");
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

const listedWebhook = ownedWebhook.extend({ contact: z.string().nullable().describe("The partner's contact"), summary: summaryField });

function viewListed(endpoint: Parameters<typeof viewWebhook>[0], { clock }: Pick<Deps, "clock">, contacts: ReadonlyMap<string, string>) {
  // The list is of all partners, whose time zones differ.
  const summary = summaryOfWebhook(endpoint, UTC);
  return { ...viewWebhook(endpoint, clock.now()), contact: contacts.get(endpoint.partnerId) ?? null, summary };
}

const changedWebhook = z.object({ success: z.boolean(), endpoint: ownedWebhook });

/** What operators do with the webhooks of all partners. */
export const operatorsWebhookCalls = [
  defineCall({
    command: "endpoints list",
    path: "/ops/endpoints",
    role: "any",
    summary: "Webhooks that fail, are in cooldown or suspended; of a partner, all of them",
    query: z.object({ partner: z.string().optional(), ...pageQuery }),
    answer: pageOf(listedWebhook),
    example: "--partner acme",
    async run({ deps }, { query: { partner, limit, cursor } }) {
      if (partner === undefined) return unhealthyPage(deps, limit, cursor);
      const own = deps.ofPartner(await requireLocation(deps, partner));
      const found = (await deps.askDatabase(own.databaseName, () => listEndpoints(own, partner))) ?? [];
      const contacts = await contactsOf(deps.directory, [partner]);
      return { data: found.map((endpoint) => viewListed(endpoint, deps, contacts)), next: null };
    },
  }),
  defineCall({
    command: "endpoints suspend",
    method: "POST",
    path: "/ops/endpoints/{id}/suspend",
    role: "admin",
    summary: "Suspends a webhook; its events are kept",
    body: z.strictObject({ reason: toldReason.optional() }),
    answer: changedWebhook,
    example: 'ep_acme_live --reason "It answers with a page of advertisements."',
    async run({ deps, actor }, { params: { id }, body: { reason = null } }) {
      const endpoint = (await suspendManually(await ownerOf(deps, id), id, reason, actor)) ?? notFound(NO_ENDPOINT);
      if (endpoint.suspensionReason !== "operator") refuseUnregistered();
      return { success: true, endpoint: viewWebhook(endpoint, deps.clock.now()) };
    },
  }),
  defineCall({
    command: "endpoints resume",
    method: "POST",
    path: "/ops/endpoints/{id}/resume",
    role: "admin",
    summary: "Resumes a webhook, and sends the kept events",
    answer: changedWebhook,
    example: "ep_acme_live",
    async run({ deps, actor }, { params: { id } }) {
      const partner = await findPartner(deps.directory, partnerOfEndpoint(id) ?? "");
      if (partner?.status === "disabled") conflict(`Its partner is disabled. \`partners enable ${partner.id}\` comes first.`);
      const endpoint = (await resumeManually(await ownerOf(deps, id), id, actor)) ?? notFound(NO_ENDPOINT);
      if (endpoint.status === "suspended") refuseSuspended(endpoint);
      return { success: true, endpoint: viewWebhook(endpoint, deps.clock.now()) };
    },
  }),
  defineCall({
    command: "endpoints send-exhausted",
    method: "POST",
    path: "/ops/endpoints/{id}/send-exhausted",
    role: "support",
    summary: "Restarts exhausted deliveries",
    continues: { left: "left", as: null, sums: ["restarted"] },
    query: z.object({ since: momentField.optional().describe("Only events made since this time") }),
    answer: z.object({
      success: z.boolean(),
      restarted: z.int(),
      left: z
        .int()
        .describe("Those of a partner that was split by time are brought back a hundred at a time: call again until none is left"),
      endpoint: ownedWebhook,
    }),
    example: "ep_acme_live --since 2026-11-01",
    async run({ deps, actor }, { params: { id }, query }) {
      refuseMail(id);
      const since = query.since === undefined ? 0 : startOf(query.since, UTC);
      const own = await ownerOf(deps, id, oldestExhausted(id, since));
      const done = (await restartDeliveries(own, id, actor, { since, isLimited: false })) ?? notFound(NO_ENDPOINT);
      if (done.outcome === "too_soon") throw new Error("only a partner's restart has a pause");
      if (done.outcome === "suspended") refuseSuspended(done.endpoint);
      const counts = await Promise.all(own.data.cells.slice(1).map(({ db }) => countRestartable(db, id, "exhausted", since)));
      const left = counts.reduce((sum, one) => sum + one, 0);
      return { success: true, restarted: done.restarted, left, endpoint: viewWebhook(done.endpoint, deps.clock.now()) };
    },
  }),
  defineCall({
    command: "endpoints send-again",
    method: "POST",
    path: "/ops/endpoints/{id}/send-again",
    role: "support",
    summary: "Resends all events of a webhook since a time, delivered ones too, some two thousand per call",
    continues: { left: "next_since", as: "since", sums: ["restarted"] },
    query: z.object({
      since: momentField.describe("Events made since this date (UTC) or time"),
      until: momentField.optional().describe("Only events made up to the end of this date (UTC), or before this time; default now"),
    }),
    answer: z.object({
      success: z.boolean(),
      restarted: z.int(),
      next_since: z.string().nullable().describe("More remain: call again with this as --since; null on the last call"),
      endpoint: ownedWebhook,
    }),
    example: "ep_acme_live --since 2026-11-01",
    async run({ deps, actor }, { params: { id }, query: { since, until } }) {
      refuseMail(id);
      const period = { from: startOf(since, UTC), to: until === undefined ? deps.clock.now() : untilOf(until, UTC) };
      const { page, nextFrom } = await firstPageOf((await ownerOf(deps, id)).data, id, period);
      const own = await ownerOf(deps, id, endedOfPeriod(id, page));
      const { endpoint, restarted } = (await resendPeriod(own, id, actor, page)) ?? notFound(NO_ENDPOINT);
      if (endpoint.status === "suspended") refuseSuspended(endpoint);
      const next = isoTimeOrNull(nextFrom);
      return { success: true, restarted, next_since: next, endpoint: viewWebhook(endpoint, deps.clock.now()) };
    },
  }),
  defineCall({
    command: "secrets re-encrypt",
    method: "POST",
    path: "/ops/secrets/re-encrypt",
    role: "admin",
    summary:
      "Encrypts signing secrets and the addresses of chats with the current key, up to 200 per cell and call: repeat until none is left",
    continues: { left: "left", as: null, sums: ["re_encrypted"] },
    answer: z.object({ success: z.boolean(), re_encrypted: z.int(), undecryptable: z.array(z.string()), left: z.int() }),
    async run({ deps, actor }) {
      const { reEncrypted, undecryptable, left } = await reEncryptSecrets(deps, actor);
      return { success: true, re_encrypted: reEncrypted, undecryptable: [...undecryptable], left };
    },
  }),
];
