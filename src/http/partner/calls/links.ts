import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { listLinks } from "../../../links/list-links.ts";
import { definePartnerCall } from "../define-call.ts";
import { listOf, ownList, ownListQuery, viewPage } from "../lists.ts";

const linkView = z.object({
  payment_link_id: z.string(),
  short_url: z.string().nullable().describe("What customers get; null until it is issued: repeat the creation"),
  source: z.enum(["moderation", "product", "cart"]).describe("What the link was made for; `moderation`: the first link of a product"),
  mode: z.enum(["one_time", "subscription"]),
  currency: z.string(),
  created_at: z.string(),
  disabled_at: z.string().nullable().describe("Since when it takes no payments"),
});

export const linkCalls = [
  definePartnerCall({
    command: "links list",
    method: "GET",
    path: "/partner/links",
    permission: "products_view",
    summary: "Your payment links, of carts too, newest first",
    query: ownListQuery,
    answer: listOf(linkView),
    example: "--environment test",
    async run({ own, caller }, { query }) {
      const { shortLinkOrigin } = own.settings;
      return viewPage(await listLinks(own.data, ownList(caller, query)), ({ id, source, mode, currency, slug, createdAt, disabledAt }) => ({
        payment_link_id: id,
        short_url: slug === null ? null : `${shortLinkOrigin}/${slug}`,
        source,
        mode,
        currency,
        created_at: isoTime(createdAt),
        disabled_at: disabledAt === null ? null : isoTime(disabledAt),
      }));
    },
  }),
];
