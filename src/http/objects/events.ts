import * as z from "zod";
import { type Environment, environmentSchema, environments } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { jsonObjectSchema, parseJson } from "../../core/json.ts";
import { eventsBehind, FEED_START, type FeedPosition, feedEnd } from "../../webhooks/admin/feed.ts";
import { eventNames } from "../../webhooks/admin/test-event.ts";
import { momentField, startOf } from "../calls/moments.ts";
import { pageQuery } from "../calls/paging.ts";
import { defineForBoth } from "./define.ts";
import { ownDeps, zoneOf } from "./rows.ts";

/** The `after` of a reader that only wants what comes from now on. */
const LATEST = "latest";

/** A cursor is the position of each environment, so a reader may go on with one environment or with both. */
const CURSOR = /^([0-9a-z]{1,11})-([0-9a-z]{1,11})$/;

const cursorOf = ({ live, test }: FeedPosition): string => `${live.toString(36)}-${test.toString(36)}`;

function positionIn(cursor: string): FeedPosition {
  const [, live = "", test = ""] = CURSOR.exec(cursor) ?? rejectInput("after: must be `next` of an earlier answer, or `latest`", "after");
  return { live: Number.parseInt(live, 36), test: Number.parseInt(test, 36) };
}

/** The events of a partner to pull, instead of, or beside, the webhook that pushes them. */
export const eventCalls = [
  defineForBoth({
    query: z.object({
      after: z
        .string()
        .optional()
        .describe("`next` of the answer before; `latest`: only what comes from now on; left out: from the oldest"),
      since: momentField.optional().describe("Without `after`: only events from this time on, or from the start of this date"),
      environment: environmentSchema.optional().describe("Only of this environment; left out: of both"),
      kind: z.enum(eventNames).optional().describe("Only events of this kind"),
      limit: pageQuery.limit,
    }),
    partner: {
      command: "events list",
      path: "/partner/events",
      permission: "webhook_config",
      summary: "Your events with their bodies, oldest first, behind a cursor: a feed that misses none",
      answer: z.object({
        data: z.array(z.record(z.string(), z.unknown())).describe("The bodies as webhooks get them, oldest first"),
        next: z.string().describe("Never null. Keep it, and send it as `after`, now or later: no event ever appears behind it"),
        has_more: z.boolean().describe("Whether more may be there already: ask again at once"),
      }),
      example: "--after latest --environment test",
    },
    operator: {
      role: "any",
      summary: "The events of a partner with their bodies, oldest first, as the partner pulls them",
      filters: { partner: z.string().describe("Whose events: each partner has a feed of its own") },
      example: "--partner acme --after latest",
    },
    async run(asker, { query: { partner, after, since, environment, kind, limit } }) {
      const partnerId = asker.partner?.caller.partnerId ?? partner ?? "";
      const { cells } = (await ownDeps(asker, partnerId)).data;
      if (after === LATEST) return { data: [], next: cursorOf(await feedEnd(cells, partnerId)), has_more: false };
      const from = since === undefined ? 0 : startOf(since, await zoneOf(asker, partnerId)) - 1;
      const position = after === undefined ? (from <= 0 ? FEED_START : { live: from, test: from }) : positionIn(after);
      const asked: readonly Environment[] = environment === undefined ? environments : [environment];
      const kinds = kind === undefined ? undefined : [kind];
      const page = await eventsBehind(cells, { partnerId, environments: asked, kinds, limit }, position);
      return {
        data: page.events.map(({ body }) => parseJson(jsonObjectSchema, body)),
        next: cursorOf(page.position),
        has_more: page.hasMore,
      };
    },
  }),
];
