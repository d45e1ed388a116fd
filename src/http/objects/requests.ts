import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput, ServiceFailure } from "../../core/errors.ts";
import { jsonObjectSchema, parseJson } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { Deps, PartnerDeps } from "../../deps.ts";
import { EXPIRED, explainKey, resultIdsOf } from "../../idempotency/explain.ts";
import { clientKeyOf } from "../../idempotency/key.ts";
import type { IdempotencyRecord } from "../../idempotency/store.ts";
import type { Caller } from "../../partners/authenticate.ts";
import type { Right } from "../../partners/permissions.ts";
import { countRequests, findRequest, listRequests, type RequestEntry } from "../../requests/history.ts";
import { refusalSelections } from "../../requests/store.ts";
import { workflows } from "../../runners/workflows.ts";
import { type RequestFacts, summaryOfRequest } from "../../summaries/of-request.ts";
import { listEnvironment, listOf, viewPage } from "../calls/lists.ts";
import { periodOf, periodQuery } from "../calls/moments.ts";
import { pageKeyIn, pageQuery } from "../calls/paging.ts";
import { notFound } from "../calls/refusal.ts";
import { cureOf } from "../cures.ts";
import { namingSupport } from "../error-response.ts";
import { defineCall } from "../ops/define-call.ts";
import { definePartnerCall, type PartnerContext } from "../partner/define-call.ts";
import { creations, withStatuses } from "../v1/index.ts";
import { operations } from "../v2/index.ts";
import { type Asker, defineForPartner } from "./define.ts";
import { requirePartner } from "./partner-lookup.ts";
import { byPartner, ownDeps, pageFor, summaryField, zoneOf } from "./rows.ts";
import { SELECTION_WEIGHT, selectionCount, TOO_MANY } from "./selection.ts";

/** The permission of each operation; null for one that any key may call. */
const PERMISSIONS: ReadonlyMap<string, Right | null> = new Map(
  [...operations, ...creations, ...withStatuses].map(({ name, permission }) => [name, permission]),
);
/** The operations whose requests are listed. */
export const operationNames: readonly string[] = [...PERMISSIONS.keys()];
const operationName = z.enum(operationNames);

export const mayRead = ({ caller }: Pick<PartnerContext, "caller">, operation: string) => {
  const permission = PERMISSIONS.get(operation);
  return permission === null || (permission !== undefined && caller.permissions.has(permission));
};

const common = {
  at: z.string(),
  operation: z.string(),
  outcome: z.enum(["created", "refused"]),
  code: z.string().nullable().describe("The code that was answered; null for what was created"),
  message: z.string().nullable(),
  field: z.string().nullable().describe("The path of the offending field"),
  cure: z.string().nullable().describe("What to correct"),
  repeat: z.string().describe("What a repeat of the request does"),
  repeat_ru: z.string().nullable().describe("The same in Russian; null for a refusal without a record, of which `code` says it"),
};

export const entryView = z.object({
  ...common,
  request: z.string().nullable().describe("The id of the request, as in its `X-Request-Id`; null once the record has expired"),
  environment: environmentSchema.nullable().describe("Of what was created; null for a refusal"),
  created: z.string().nullable().describe("The id of what was created; for a ruble payment, the `order_id`"),
});

const refusalView = z.object({
  ...common,
  request: z.string().describe("The id of the request, as in its `X-Request-Id`"),
  partner_id: z.string(),
});

const requestView = z.object({
  ...common,
  summary: summaryField,
  request: z.string(),
  state: z.string().nullable().describe("The state of the key or token; null for a refusal that reached none"),
  key: z.string().nullable().describe("Your `client_token` or `idempotency_key`; null without one"),
  result_ids: z.record(z.string(), z.string()).describe("The ids of what was created, by name"),
  body: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("What you sent, without personal values and secrets; null for what was created"),
});

/** What to correct after a code, and what a repeat does. The texts are those of docs/errors. */
function cureWords(settings: Deps["settings"], code: string, message: string): { readonly cure: string | null; readonly repeat: string } {
  const known = cureOf(code, message);
  if (known === undefined) return { cure: null, repeat: "Correct the request, and send it again." };
  return { cure: namingSupport(settings, known.cure), repeat: known.repeat };
}

/** Whether the last attempt failed. Above the day's bound, a failure is only in its record. */
const hasFailed = (record: IdempotencyRecord | null) => record?.state === "failed" || record?.state === "failed_terminal";

/** What became of a request without a refusal. A record that has expired was carried out. */
function outcomeOf(record: IdempotencyRecord | null): RequestFacts["outcome"] {
  if (hasFailed(record)) return "failed";
  return record === null || record.state === "completed" ? "created" : "unfinished";
}

/** Codes of which neither a correction nor the same request alone gets further: their cure says what does. */
const NO_PLAIN_REPEAT: ReadonlySet<string> = new Set([
  "CONFIRMATION_REQUIRED",
  "CONFIRMATION_REFUSED",
  "SHORT_URL_UNAVAILABLE",
  "short_url_unavailable",
]);

/** The next step after a refusal, where one sentence says it. */
function nextAfter({ code, message }: { readonly code: string; readonly message: string }): "now" | "corrected" | null {
  const repeatable = cureOf(code, message)?.repeatable;
  return repeatable === undefined || repeatable === "new_token" || NO_PLAIN_REPEAT.has(code) ? null : repeatable;
}

function repeatOf(record: IdempotencyRecord | null, now: number) {
  const workflow = record === null ? undefined : workflows.get(record.operation);
  if (record === null || workflow === undefined) return EXPIRED;
  return explainKey(workflow.generation, record, now).words;
}

function viewEntry({ clock, settings }: Pick<Deps, "clock" | "settings">, entry: RequestEntry): z.input<typeof entryView> {
  if (entry.kind === "created") {
    const { at, operation, environment, object, record } = entry;
    const nothing = { code: null, message: null, field: null, cure: null };
    const repeat = repeatOf(record, clock.now());
    return {
      ...nothing,
      at: isoTime(at),
      operation,
      outcome: hasFailed(record) ? "refused" : "created",
      repeat: repeat.en,
      repeat_ru: repeat.ru,
      request: record?.requestId ?? null,
      environment,
      created: object,
    };
  }
  const { id, at, operation, code, message, field } = entry.refusal;
  const refused = { outcome: "refused", code, message, field, ...cureWords(settings, code, message), repeat_ru: null } as const;
  return { at: isoTime(at), operation, ...refused, request: id, environment: null, created: null };
}

/** What a list of requests is searched by. */
export const requestSearch = {
  outcome: z.enum(["created", "refused"]).optional(),
  operation: operationName.optional().describe("Only requests of this operation"),
  code: z.string().max(64, "must be at most 64 characters").optional().describe("Only refusals with this code"),
};

/** What the environment of a list of requests means. */
export const REQUEST_ENVIRONMENT = "Of what was created; left out: both. A refusal has no environment, and is in each";

const requestsQuery = z.object({
  environment: listEnvironment.describe(REQUEST_ENVIRONMENT),
  ...requestSearch,
  ...periodQuery,
  ...pageQuery,
});

/** Whose requests to list, and of which operations: those that the reader may call. */
interface Reader {
  readonly own: PartnerDeps;
  readonly partnerId: string;
  /** The time zone of its days. */
  readonly zone: string;
  /** Null: of all operations. */
  readonly caller: Caller | null;
}

/** What of a partner's requests the reader may see. @throws ServiceFailure `permission_missing` for an operation of others; `invalid_input` for a code of what was created. */
function searchOf(
  { partnerId, caller, zone }: Reader,
  { environment, outcome, operation, code, limit, cursor, ...period }: z.output<typeof requestsQuery>,
) {
  const isSeen = (name: string) => caller === null || mayRead({ caller }, name);
  if (caller !== null && operation !== undefined && !isSeen(operation)) {
    const permission = PERMISSIONS.get(operation) ?? "";
    throw new ServiceFailure({ kind: "permission_missing", permission, holder: caller.holder.kind });
  }
  if (outcome === "created" && code !== undefined) rejectInput("code: only refusals have one. Leave out the outcome, or the code", "code");
  const { from, to } = periodOf(period, zone);
  return {
    partnerId,
    environment,
    outcome,
    operations: operation === undefined ? [...PERMISSIONS.keys()].filter(isSeen) : [operation],
    period: { from, to },
    code,
    // The first page begins at the end of the period.
    before: pageKeyIn(cursor) ?? (period.until === undefined ? undefined : { at: to, id: "" }),
    limit,
  };
}

const readerOf = async (asker: Asker, partnerId: string): Promise<Reader> => ({
  own: await ownDeps(asker, partnerId),
  partnerId,
  zone: await zoneOf(asker, partnerId),
  caller: asker.partner?.caller ?? null,
});

/** A page of the requests of a partner, the asking one or the one that an operator names. @throws CallRefusal 404 for an unknown one */
export async function requestsPage(asker: Asker, partnerId: string, query: z.output<typeof requestsQuery>) {
  const reader = await readerOf(asker, partnerId);
  return viewPage(await listRequests(reader.own.data, searchOf(reader, query)), (entry) => viewEntry(reader.own, entry));
}

/** How many requests there are on all pages. */
async function countOfRequests(asker: Asker, partnerId: string, query: z.output<typeof requestsQuery>) {
  const reader = await readerOf(asker, partnerId);
  return (await countRequests(reader.own.data, searchOf(reader, query))) ?? TOO_MANY;
}

/** One request of a partner whose operation the reader may see. @throws CallRefusal 404 */
async function viewRequest(
  own: PartnerDeps,
  partnerId: string,
  requestId: string,
  zone: string,
  isSeen: (operation: string) => boolean,
): Promise<z.input<typeof requestView>> {
  const found = await findRequest(own.data, partnerId, requestId);
  const [record = null] = found?.records ?? [];
  const refusal = found?.refusal ?? null;
  const operation = refusal?.operation ?? record?.operation;
  if (operation === undefined || !isSeen(operation))
    return notFound("You have no such request. Refusals are kept for days; `GET /partner/requests` lists what there is.");
  const now = own.clock.now();
  const byRecord = record === null ? null : repeatOf(record, now);
  const cure = refusal === null ? null : cureWords(own.settings, refusal.code, refusal.message);
  const at = refusal?.at ?? record?.updatedAt ?? now;
  return {
    summary: summaryOfRequest(
      { operation, at, outcome: outcomeOf(record), refusal: refusal && { message: refusal.message, next: nextAfter(refusal) } },
      zone,
    ),
    request: requestId,
    at: isoTime(at),
    operation,
    outcome: refusal === null && !hasFailed(record) ? ("created" as const) : ("refused" as const),
    code: refusal?.code ?? null,
    message: refusal?.message ?? null,
    field: refusal?.field ?? null,
    cure: cure?.cure ?? null,
    repeat: byRecord?.en ?? cure?.repeat ?? "",
    repeat_ru: byRecord?.ru ?? null,
    state: record?.state ?? null,
    key: record === null ? null : (clientKeyOf(record.key)?.text ?? null),
    result_ids: resultIdsOf(record ?? undefined),
    body: refusal === null || refusal.body === "" ? null : parseJson(jsonObjectSchema, refusal.body),
  };
}

export const requestCalls = [
  defineForPartner({
    query: requestsQuery,
    partner: {
      command: "requests list",
      path: "/partner/requests",
      permission: "any",
      weight: SELECTION_WEIGHT,
      // A refusal has no environment.
      forAgents: {
        tool: "list-partner-requests",
        hint: "Use it for why an order failed, or whether it was made: each entry says what to correct and what a repeat does.",
        ofOneEnvironment: { outcome: "created" },
      },
      summary: `Your requests, newest first: what was created, and up to ${limits.refusedRequests.perDay} refusals a day with their cure. Only of operations that you may call`,
      answer: listOf(entryView).extend(selectionCount),
      example: "--outcome refused",
    },
    operator: {
      role: "any",
      summary: "A partner's requests, newest first: what was created, what was refused and why, and what a repeat does",
      example: "acme --outcome refused",
    },
    async run({ asker, partnerId }, { query }) {
      const [page, count] = await Promise.all([requestsPage(asker, partnerId, query), countOfRequests(asker, partnerId, query)]);
      return { ...page, count };
    },
  }),
  defineCall({
    command: "requests refused",
    path: "/ops/requests",
    role: "any",
    summary: "Refused requests of all partners, newest first, with the code that was answered and what to correct",
    query: z.object({ ...byPartner, ...requestsQuery.omit({ environment: true, outcome: true }).shape }),
    answer: listOf(refusalView),
    example: "--code PRODUCT_NOT_FOUND --since 2026-11-28",
    async run({ deps, actor }, { query: { operation, code, ...asked } }) {
      const filter = { operations: operation === undefined ? [...PERMISSIONS.keys()] : [operation], code };
      // A refusal has no environment: the list needs one, and it is not asked for.
      const wanted = { ...asked, environment: "live" as const };
      const page = await pageFor({ deps, actor, partner: null }, wanted, (data, own) => refusalSelections.newest(data, own, filter));
      return viewPage(page, (row) => ({
        ...viewEntry(deps, { kind: "refused", at: row.at, id: row.id, refusal: row }),
        request: row.id,
        partner_id: row.partnerId,
      }));
    },
  }),
  {
    partner: definePartnerCall({
      command: "requests show",
      path: "/partner/requests/{request}",
      permission: "any",
      forAgents: {
        tool: "get-partner-request",
        hint: "Use it for one request whose id (X-Request-Id) the person or list-partner-requests has named.",
        ofOneEnvironment: "refused",
      },
      summary: "One request by its id (`X-Request-Id`): what was sent, what went wrong, what to correct, and what a repeat does",
      answer: requestView,
      example: "0123456789abcdef",
      run: (context, { params }) =>
        viewRequest(context.own, context.caller.partnerId, params.request, context.caller.timeZone, (one) => mayRead(context, one)),
    }),
    operator: defineCall({
      command: "requests show",
      path: "/ops/partners/{partner}/requests/{request}",
      role: "any",
      summary: "One request of a partner by its id: what was sent, what went wrong, what to correct, and what a repeat does",
      answer: requestView,
      example: "acme 0123456789abcdef",
      async run({ deps, actor }, { params: { partner, request } }) {
        await requirePartner(deps, partner);
        const asker = { deps, actor, partner: null };
        return viewRequest(await ownDeps(asker, partner), partner, request, await zoneOf(asker, partner), () => true);
      },
    }),
  },
];
