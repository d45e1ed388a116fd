import * as z from "zod";
import { CallBudget } from "../core/call-budget.ts";
import { type Clock, SECOND } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { moneyText } from "../core/money.ts";
import type { Cell } from "../db/client.ts";
import { readPosition, writePosition } from "../db/walk.ts";
import { type News, newsBetween } from "../webhooks/admin/news.ts";
import { type ChatSendDeps, sendToChat } from "./send.ts";
import { type ChatDeps, chatsOf } from "./store.ts";

export interface NewsDeps extends ChatDeps, ChatSendDeps {
  readonly db: Cell;
  readonly clock: Clock;
  readonly log: Log;
}

/** The name of the position in the cell's news: the time until which they were told. */
const POSITION = "chats";
/** News are told when they are this old: a change carries the time at which it began, and may be committed later. */
const SETTLED_AFTER = 30 * SECOND;
/** News of each kind that one run reads, and the time for telling them. */
const MAX_NEWS = 100;
const BUDGET = 10 * SECOND;

/**
 * Tells partners in their chats what happened in a cell since the last run. Each message is sent at most once: the
 * position is stored before, so a failure loses a message and repeats none. It starts with what happens after the first
 * run. Returns the number of messages.
 */
export async function sweepChats(deps: NewsDeps): Promise<number> {
  const { db, clock, log } = deps;
  const settled = clock.now() - SETTLED_AFTER;
  const position = await readPosition(db, POSITION);
  if (position === "") await writePosition(db, POSITION, String(settled));
  if (position === "" || Number(position) >= settled) return 0;
  const { news, until } = await newsBetween(db, Number(position), settled, MAX_NEWS);
  if (news.length === 0) return 0;
  await writePosition(db, POSITION, String(until));
  const chats = await chatsOf(
    deps,
    news.map(({ partnerId }) => partnerId),
  );
  const budget = new CallBudget(clock, BUDGET);
  let count = 0;
  for (const one of news) {
    const chat = chats.get(one.partnerId);
    if (chat === undefined || budget.remaining() <= 0) continue;
    const answer = await sendToChat(deps, chat, textOf(one));
    count += 1;
    log.info("chat told", { partner: one.partnerId, kind: one.subject.kind, ...answer });
  }
  return count;
}

const paidSchema = z.object({
  Payment: z.object({ Amount: z.int(), OrderId: z.string(), Data: z.object({ ep_order: z.string().nullable() }) }),
});
const refusedSchema = z.object({ payment_link_id: z.string(), refused_payment_method_types: z.array(z.string()) });

/** A message of one or two sentences, without personal values and addresses. */
export function textOf({ environment, subject }: News): string {
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
  const { payment_link_id: link, refused_payment_method_types: methods } = refusedSchema.parse(payload);
  return `${mark}The card processor refused ${methods.join(", ")} for the link ${link}. The link works without ${methods.length === 1 ? "it" : "them"}.`;
}
