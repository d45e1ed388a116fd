import * as z from "zod";
import { productsNamed, searchProducts } from "../../catalogue/admin/search.ts";
import { findProduct } from "../../catalogue/admin/store.ts";
import { environments } from "../../core/environment.ts";
import { ServiceFailure } from "../../core/errors.ts";
import { shownMinorUnits } from "../../core/typed-amount.ts";
import type { Deps } from "../../deps.ts";
import { readRecords } from "../../idempotency/find-records.ts";
import { findLink } from "../../links/admin/links.ts";
import { linkSelections } from "../../links/list-links.ts";
import { findCodesOfCoupon, findPromotionCodeRow } from "../../promotions/deactivate.ts";
import { codeSelections } from "../../promotions/list-codes.ts";
import { findRequest } from "../../requests/history.ts";
import { upstreamCall } from "../../story/found.ts";
import { findOwnNamed, isOfProcessor } from "../../story/own-story.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { ACCOUNT_WAYS } from "./find-account.ts";
import { ordersAndSubscriptions } from "./find-orders.ts";
import { foundView, idsOf, MOST, mayBeId, newestOfBoth, type Way } from "./find-way.ts";
import { saidOfLink } from "./links.ts";
import { saidOfCode } from "./promotion-codes.ts";
import { mayRead } from "./requests.ts";
import { NOTHING_SAID, sayCode, sayLink, sayProduct } from "./said-of-found.ts";
import { REPORT_WEIGHT } from "./selection.ts";
import { storyDeps } from "./story-deps.ts";

/** Links by their ids in any case, and by what they cost. */
const links: Way = [
  "products_view",
  async (context, wanted, named) => {
    const { deps, own, caller } = context;
    const cost = shownMinorUnits(wanted);
    const byId = await Promise.all(idsOf(named, "payment_link").map((id) => findLink(deps, id)));
    const isOtherCase = cost === null && byId.length === 0 && mayBeId(wanted);
    const more =
      cost === null && !isOtherCase
        ? []
        : await newestOfBoth(context, (list) => linkSelections.newest(own.data, list, cost === null ? { anyCase: wanted } : { cost }));
    const now = deps.clock.now();
    return [...byId.flatMap((known) => known?.found ?? []), ...more]
      .filter(({ partnerId }) => partnerId === caller.partnerId)
      .map((link) => {
        const { summary } = saidOfLink(link, now, caller.timeZone);
        return { kind: "payment_link", id: link.id, environment: link.environment, ...sayLink(link, now), summary };
      });
  },
];

const products: Way = [
  "products_view",
  async ({ deps, caller: { partnerId } }, wanted) => {
    const { directory } = deps;
    const kind = /^\d{1,15}$/.test(wanted) ? "ruble" : "card";
    const id = PRICE.test(wanted) ? await productOfPrice(deps, partnerId, wanted) : wanted;
    const price = shownMinorUnits(wanted);
    const [byId, named, priced] = await Promise.all([
      findProduct(directory, kind, id),
      productsNamed(directory, partnerId, wanted, MOST),
      price === null ? [] : searchProducts(directory, { partnerId, amountFrom: price, amountTo: price }, undefined, MOST),
    ]);
    const own = byId?.row.partnerId === partnerId ? [byId] : [];
    return [...own, ...named, ...priced].map(({ row, ...of }) => ({
      kind: "product",
      id: String(row.id),
      environment: of.kind === "card" && "environment" in row ? row.environment : null,
      ...sayProduct(row),
    }));
  },
];

const PRICE = /^price_[0-9a-z]{8,60}$/i;

/**
 * The processor's product of a price; the price itself, which is no product, where it has none or does not answer: that must not hide
 * what else has this text.
 */
async function productOfPrice(deps: Deps, partnerId: string, price: string): Promise<string> {
  const asked = environments.map((environment) => {
    const call = upstreamCall({ clock: deps.clock, mayCall: (of) => deps.mayCallFor(partnerId, of) });
    call.budget.environment = environment;
    return deps
      .processor(environment)
      .productOfPrice(price, call)
      .catch((thrown: unknown) => {
        if (thrown instanceof ServiceFailure) return null;
        throw thrown;
      });
  });
  return (await Promise.all(asked)).find((id) => id !== null) ?? price;
}

const codes: Way = [
  "products_view",
  async (context, wanted) => {
    const { deps, own, caller } = context;
    const { partnerId, timeZone } = caller;
    const byText = await newestOfBoth(context, (list) => codeSelections.newest(own.data, list, { text: wanted }));
    const byId = (
      await own.data.each(async ({ db }) => [(await findPromotionCodeRow(db, wanted)) ?? [], await findCodesOfCoupon(db, wanted)].flat())
    ).flat();
    const rows = [...byId, ...byText].filter((row) => row.partnerId === partnerId);
    return Promise.all(
      rows.map(async (row) => {
        const { summary } = await saidOfCode(deps, row, timeZone);
        return { kind: "promotion_code" as const, id: row.id, environment: row.environment, ...sayCode(row, own.clock.now()), summary };
      }),
    );
  },
];

const events: Way = [
  "webhook_config",
  async (_context, _wanted, named) =>
    named.flatMap(({ kind, id, environment }) => (kind === "event" ? [{ kind: "event", id, environment, ...NOTHING_SAID }] : [])),
];

const requests: Way = [
  null,
  async (context, wanted, named) => {
    const { own, caller } = context;
    // A token names the record of its first request.
    const tokens = idsOf(named, "request").map(async (id) => (await own.data.each(({ db }) => readRecords(db, [id]))).flat(2));
    const ids = [wanted.toLowerCase(), ...(await Promise.all(tokens)).flat().map((record) => record.requestId)];
    const found = await Promise.all(
      [...new Set(ids)].map(async (id) => {
        const request = await findRequest(own.data, caller.partnerId, id);
        const operation = request?.refusal?.operation ?? request?.records[0]?.operation;
        if (operation === undefined || !mayRead(context, operation)) return [];
        return [{ ...NOTHING_SAID, kind: "request" as const, id, environment: null, title: operation }];
      }),
    );
    return found.flat();
  },
];

/** In the order of the answer. */
const WAYS: readonly Way[] = [ordersAndSubscriptions, links, products, codes, events, requests, ...ACCOUNT_WAYS];

/** The prefix of an id in small letters: people copy ids in any case. */
const asSearched = (q: string): string => q.trim().replace(/^[a-z]{2,6}_/i, (prefix) => prefix.toLowerCase());

export const findCalls = [
  definePartnerCall({
    command: "find",
    path: "/partner/find",
    permission: "any",
    weight: REPORT_WEIGHT,
    summary:
      "Finds what of yours an id, reference, e-mail address, amount, name, code, receipt or short URL belongs to, in both environments. By amount and receipt: among the newest 100,000 of each kind",
    query: z.object({
      q: z.string().trim().min(1, "must not be empty").max(2048).describe("Anything that a page, a file or an answer shows"),
    }),
    positional: ["q"],
    answer: z.object({ data: z.array(foundView), next: z.null() }),
    example: "order-2041",
    async run(context, { query: { q } }) {
      const allowed = WAYS.filter(([right]) => right === null || context.caller.permissions.has(right));
      const { deps, caller, own } = context;
      // Money is behind an id of the processor, which alone knows what it belongs to.
      const isAsked = caller.permissions.has("balance_view") || !isOfProcessor(q);
      const named = isAsked ? await findOwnNamed(storyDeps(deps), { ...caller, data: own.data }, q) : [];
      const found = (await Promise.all(allowed.map(([, find]) => find(context, asSearched(q), named, q)))).flat();
      return { data: [...new Map(found.map((one) => [`${one.kind} ${one.id}`, one])).values()], next: null };
    },
  }),
];
