import * as z from "zod";
import { CallBudget } from "../core/call-budget.ts";
import type { CellCode } from "../core/cell-code.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { moneyText } from "../core/money.ts";
import type { Cell } from "../db/client.ts";
import { readPosition, writePosition } from "../db/walk.ts";
import { disabledPartners } from "../partners/location-store.ts";
import type { FindPartnerLocation } from "../partners/locations.ts";
import { type News, newsBetween } from "../webhooks/admin/news.ts";
import { type ChatSendDeps, sendToChat, wasAccepted } from "./send.ts";
import { type Chat, type ChatDeps, chatsOf } from "./store.ts";

export interface NewsDeps extends ChatDeps, ChatSendDeps {
  readonly db: Cell;
  readonly databaseName: CellCode;
  readonly clock: Clock;
  readonly log: Log;
  readonly locationOf: FindPartnerLocation;
}

/** The name of the position in the cell's news: the time until which they were sent. */
const POSITION = "chats";
/** News are sent when they are this old: a change carries the time at which it began, and may be committed later. */
const SETTLED_AFTER = 30 * SECOND;
/** News of each kind that one run reads, and the time for sending those of one partner. */
const MAX_NEWS = 100;
const BUDGET = 10 * SECOND;

/**
 * Notifies partners in their chats of what happened in a cell since the last run. Each message is sent at most once: the
 * position is stored before, so a failure loses a message and repeats none. It starts with what happens after the first
 * run. Returns the number of messages.
 */
export async function sweepChats(deps: NewsDeps): Promise<number> {
  const { db, clock } = deps;
  const settled = clock.now() - SETTLED_AFTER;
  const position = await readPosition(db, POSITION);
  if (position === "") await writePosition(db, POSITION, String(settled));
  if (position === "" || Number(position) >= settled) return 0;
  const { news, until } = await newsBetween(db, Number(position), settled, MAX_NEWS);
  if (news.length === 0) return 0;
  await writePosition(db, POSITION, String(until));
  const owned = Map.groupBy(news, ({ partnerId }) => partnerId);
  const [chats, disabled] = await Promise.all([chatsOf(deps, [...owned.keys()]), disabledPartners(deps.directory)]);
  const isDisabled = new Set(disabled.map(({ id }) => id));
  const sent = [...owned].map(async ([partnerId, own]) => {
    const chat = chats.get(partnerId);
    if (chat === undefined || isDisabled.has(partnerId) || !(await isHere(deps, partnerId))) return 0;
    return sendNews(deps, chat, own);
  });
  return (await Promise.all(sent)).reduce((sum, count) => sum + count, 0);
}

/** Whether the cell is the partner's current one: while a partner moves, its events are in two. */
async function isHere({ locationOf, databaseName }: NewsDeps, partnerId: string): Promise<boolean> {
  return (await locationOf(partnerId))?.cell === databaseName;
}

/**
 * Sends one partner's news to its chat, one after the other, and no more after a failure: the others must not wait for
 * it. Returns the number of messages.
 */
async function sendNews(deps: NewsDeps, chat: Chat, news: readonly News[]): Promise<number> {
  const budget = new CallBudget(deps.clock, BUDGET);
  let count = 0;
  for (const one of news) {
    const text = textOf(one);
    if (text === null) continue;
    if (budget.remaining() <= 0) break;
    const answer = await sendToChat(deps, chat, text);
    count += 1;
    deps.log.info("chat notified", { partner: one.partnerId, kind: one.subject.kind, ...answer });
    if (!wasAccepted(answer)) break;
  }
  return count;
}

const paidSchema = z.object({
  Payment: z.object({ Amount: z.int(), OrderId: z.string(), Data: z.object({ ep_order: z.string().nullable() }) }),
});
const refusedSchema = z.object({
  payment_link_id: z.string(),
  refused_payment_method_types: z.array(z.string()),
  covered_by: z.record(z.string(), z.string()).optional(),
});

/** A message of one or two sentences, without personal values and addresses; null for an event of an unknown form. */
function textOf({ environment, subject }: News): string | null {
  const mark = environment === "test" ? "[test] " : "";
  if (subject.kind === "suspended") {
    const why = subject.reason === "gone" ? "your receiver answered 410 Gone" : "every attempt failed for days";
    return `${mark}Your ${environment} webhook is suspended, because ${why}. Its events are kept: repair the receiver, then resume the webhook.`;
  }
  const payload: unknown = JSON.parse(subject.payload);
  const paid = paidSchema.safeParse(payload).data?.Payment;
  if (paid !== undefined) {
    const order = paid.Data.ep_order === null ? paid.OrderId : paid.Data.ep_order;
    return `${mark}Paid: ${moneyText(paid.Amount, "RUB")}, order ${order}.`;
  }
  const refused = refusedSchema.safeParse(payload).data;
  if (refused === undefined) return null;
  const { payment_link_id: link, refused_payment_method_types: methods, covered_by: covered = {} } = refused;
  const included = Object.entries(covered).map(([name, method]) => ` ${method} includes ${name}.`);
  return `${mark}The card processor refused ${methods.join(", ")} for the link ${link}. The link works without ${methods.length === 1 ? "it" : "them"}.${included.join("")}`;
}
