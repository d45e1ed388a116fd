import * as z from "zod";
import { ownStory } from "../../../story/own-story.ts";
import { notFound } from "../../calls/refusal.ts";
import { keyedOperations, storyEntryAnswer, viewStoryEntry } from "../../calls/story-views.ts";
import { definePartnerCall } from "../define-call.ts";

export const storyCalls = [
  definePartnerCall({
    command: "story",
    method: "GET",
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
      const entries = await ownStory({ ...deps, keyedOperations }, { ...caller, data: own.data }, query.q);
      if (entries === null && /^(prod|price|promo)_/i.test(query.q.trim())) {
        notFound("This is of the catalogue, and has no story. Search the id of an order: of its link or its payment.");
      }
      if (entries === null) notFound("Nothing of yours has this id. A new payment may take a moment to appear.");
      return { data: entries.map(viewStoryEntry), next: null };
    },
  }),
];
