import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import type { Deps } from "../../deps.ts";
import { waitingAges } from "../../health/waiting.ts";
import { explainKey, NEVER_USED, resultIdsOf } from "../../idempotency/explain.ts";
import { clientKeyText, recordIdOf } from "../../idempotency/key.ts";
import { readRecord } from "../../idempotency/store.ts";
import { findPartner } from "../../partners/admin/partners.ts";
import { findRequest } from "../../requests/history.ts";
import { workflows } from "../../runners/workflows.ts";
import { collectOrder } from "../../story/collect-order.ts";
import { entryKinds, type Help, type StoryEntry } from "../../story/entry.ts";
import { findNamed, searchedText } from "../../story/find.ts";
import type { Found } from "../../story/found.ts";
import type { OrderHistory } from "../../story/order-history.ts";
import { ownStory } from "../../story/own-story.ts";
import { similarNamed } from "../../story/similar.ts";
import { toTimeline } from "../../story/timeline.ts";
import { notFound } from "../calls/refusal.ts";
import { defineCall } from "../ops/define-call.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { foundView, viewFoundOf } from "./found-of-operators.ts";
import { requireLocation } from "./partner-lookup.ts";
import { customerField, summaryField } from "./rows.ts";
import { keyedOperations, storyDeps } from "./story-deps.ts";
import { summariesOfStory } from "./story-summaries.ts";

/** The command line of a call. A value with characters that a shell interprets is quoted. */
function commandOf(help: Help | null): string | null {
  if (help === null) return null;
  const values = Object.values(help.given).map((value) => (/^[\w.:-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`));
  return [help.command, ...values].join(" ");
}

/** An entry of a story. */
export const storyEntryAnswer = z.object({
  at: z.string(),
  kind: z.enum(entryKinds),
  id: z.string(),
  says: z.string(),
  objects: z.array(z.string()).describe("Its objects at the processor and at the bank"),
  wrong: z.string().nullable(),
  ru: z
    .object({ says: z.string(), wrong: z.string().nullable() })
    .nullable()
    .describe("The same in Russian; null for what only operators see"),
  command: z.string().nullable().describe("The command that solves the problem, with its arguments"),
  help: z
    .object({ command: z.string(), given: z.record(z.string(), z.string()) })
    .nullable()
    .describe("The same in its parts"),
});

export function viewStoryEntry(entry: StoryEntry): z.input<typeof storyEntryAnswer> {
  const { at, objects, ru, help } = entry;
  return { ...entry, ru: ru ?? null, objects: [...objects], at: isoTime(at), command: commandOf(help) };
}

const text = z
  .string()
  .min(1, "must not be empty")
  .max(2048)
  .describe(
    "An id of ours, the processor's or the bank's, a URL of the processor's dashboard, an order reference, slug, short URL, token, promotion code, coupon, partner's or product's name, or buyer's e-mail address",
  );

const operationName = z.enum(keyedOperations.map(({ operation }) => operation));

const namedAnswer = foundView.pick({ kind: true, id: true, partner_id: true, environment: true });

const viewNamed = ({ kind, id, partnerId, environment }: Found) => ({ kind, id, partner_id: partnerId, environment });

const operatorsCalls = [
  defineCall({
    command: "find",
    path: "/ops/find",
    role: "any",
    summary: "Finds what an id, order reference, slug, token or address belongs to",
    query: z.object({ q: text }),
    positional: ["q"],
    answer: z.object({
      data: z.array(foundView),
      next: z.null(),
      did_you_mean: z
        .array(foundView)
        .describe("Where nothing was found: links and promotion codes whose slug or code is one mistake from it"),
    }),
    example: "order-2041",
    async run({ deps }, { query }) {
      const found = await findNamed(storyDeps(deps), query.q);
      const similar = found.length === 0 ? await similarNamed(storyDeps(deps), searchedText(query.q)) : [];
      return { data: await viewFoundOf(deps, found), next: null, did_you_mean: await viewFoundOf(deps, similar) };
    },
  }),
  defineCall({
    command: "story",
    path: "/ops/story",
    role: "any",
    summary: "The whole story of an order, oldest first: requests, links, payments, events and every delivery attempt",
    query: z.object({ q: text }),
    positional: ["q"],
    answer: z.object({
      found: z.array(namedAnswer),
      summaries: z
        .array(z.object({ about: z.string().describe("Its id"), summary: summaryField, to_customer: customerField }))
        .describe("Of each of its orders and subscriptions, and of a link, a promotion code or a key that was asked for"),
      entries: z.array(storyEntryAnswer),
      gaps: z.array(z.string()).describe("What could not be asked now"),
    }),
    example: "order-2041",
    async run({ deps, actor }, { query }) {
      const found = await findNamed(storyDeps(deps), query.q);
      if (found.length === 0)
        notFound(
          query.q.includes("@")
            ? "Nothing was found. The processor knows the addresses of its own checkouts, once something was paid; that of a ruble payment is not kept."
            : `Nothing was found for this text.${await waitingNote(deps)}`,
        );
      const gathered = await collectOrder(storyDeps(deps), found);
      const refused = await refusedRequests(deps, found, gathered);
      const timeline = [...toTimeline(gathered, deps.clock.now()), ...refused].toSorted((one, other) => one.at - other.at);
      const entries = timeline.map(viewStoryEntry);
      const summaries = await summariesOfStory({ deps, actor, partner: null }, found, gathered);
      return { found: found.map(viewNamed), summaries, entries, gaps: [...gathered.gaps] };
    },
  }),
  defineCall({
    command: "explain",
    path: "/ops/idempotency",
    role: "any",
    summary: "The result of a client token or an idempotency key, and the effect of a repeat",
    query: z.object({ partner: z.string(), operation: operationName, key: z.string().min(1).max(255).describe("As the partner sent it") }),
    positional: ["partner", "operation", "key"],
    answer: z.object({
      state: z.string(),
      repeat: z.string(),
      words: z.string(),
      record_id: z.string(),
      result_ids: z.record(z.string(), z.string()).describe("The ids of the created objects, by the result's field names"),
      request_id: z.string().nullable(),
      created_at: z.string().nullable(),
      updated_at: z.string().nullable(),
      completed_at: z.string().nullable(),
    }),
    example: "acme create-partner-processor-cart-payment-link order-2041",
    async run({ deps }, { query: { partner, operation, key } }) {
      const location = await requireLocation(deps, partner);
      const { idCode } = location;
      const workflow = workflows.get(operation);
      if (workflow === undefined) throw new Error(`unknown workflow: ${operation}`);
      const { name } = workflow.generation;
      const recordId = await recordIdOf(idCode, { partnerId: partner, generation: name, operation, key: clientKeyText(name, key) });
      const records = await deps.ofPartner(location).data.each(({ db }) => readRecord(db, recordId));
      const record = records.find((one) => one !== undefined);
      const explained = record === undefined ? null : explainKey(workflow.generation, record, deps.clock.now());
      const said = explained?.words.en ?? NEVER_USED;
      const isDisabled = (await findPartner(deps.directory, partner))?.status === "disabled";
      const words = isDisabled ? `The partner is disabled: until \`partners enable ${partner}\` its keys are refused. ${said}` : said;
      return {
        state: explained?.state ?? "never_used",
        repeat: explained?.repeat ?? "start",
        words,
        record_id: recordId,
        result_ids: resultIdsOf(record),
        request_id: record?.requestId ?? null,
        created_at: time(record?.createdAt),
        updated_at: time(record?.updatedAt),
        completed_at: time(record?.completedAt),
      };
    },
  }),
];

/** The entries of found requests that were refused before they had a record. Some D1 round trips for each. */
async function refusedRequests(deps: Deps, found: readonly Found[], { records }: OrderHistory): Promise<StoryEntry[]> {
  const requests = found.filter(({ kind, id }) => kind === "request" && !records.has(id));
  const entries = requests.map(async ({ id, partnerId }): Promise<StoryEntry[]> => {
    const location = partnerId === null ? null : await deps.locationOf(partnerId);
    if (partnerId === null || location === null) return [];
    const refusal = (await findRequest(deps.ofPartner(location).data, partnerId, id))?.refusal ?? null;
    if (refusal === null) return [];
    const { at, operation, code, message } = refusal;
    const says = `${partnerId} asked for ${operation}, which was refused.`;
    return [
      {
        at,
        kind: "request",
        id,
        says,
        objects: [],
        wrong: `${code}: ${message}`,
        help: { command: "requests show", given: { partner: partnerId, request: id } },
      },
    ];
  });
  return (await Promise.all(entries)).flat();
}

/** A partner's own order, from the rows that the partner may see. */
const partnersCall = definePartnerCall({
  command: "story",
  path: "/partner/story",
  permission: "balance_view",
  summary: "The whole story of one of your orders, oldest first: requests, links, payments, events and every delivery attempt",
  query: z.object({
    q: z
      .string()
      .min(1, "must not be empty")
      .max(2048)
      .describe(
        "Any id of the order: of a link, payment, movement, charge, refund, dispute, subscription, event or ruble order, your reference, a token, a request id, or a short URL",
      ),
  }),
  positional: ["q"],
  answer: z.object({ data: z.array(storyEntryAnswer), next: z.null() }),
  example: "order-2041",
  async run({ deps, caller, own }, { query }) {
    const story = await ownStory(storyDeps(deps), { ...caller, data: own.data }, query.q);
    if (story === null && /^(prod|price|promo)_/i.test(query.q.trim())) {
      notFound("This is of the catalogue, and has no story. Search the id of an order: of its link or its payment.");
    }
    if (story === null) notFound("Nothing of yours has this id. A new payment may take a moment to appear.");
    return { data: story.entries.map(viewStoryEntry), next: null };
  },
});

/** An order's reference is unknown until its look-ups are done. */
async function waitingNote(deps: Deps): Promise<string> {
  const ages = await waitingAges(deps);
  if ((ages["looking up payments"] ?? 0) === 0) return "";
  return " Payments wait to be looked up at the processor, and the reference of an order is known only afterwards: ask by the payment's id (pi_…), or again later.";
}

function time(at: number | null | undefined): string | null {
  return at == null ? null : isoTime(at);
}

/** Operators find any object, and what could not be asked; a partner asks for one of its own orders. Both see the same entries. */
export const storyCalls = [partnersCall, ...operatorsCalls];
