import { and, eq, inArray, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import type { Clock } from "../core/clock.ts";
import { parseJson } from "../core/json.ts";
import type { SecretCipher } from "../core/secret-cipher.ts";
import { type Directory, inList } from "../db/client.ts";
import { chats } from "../db/schema/chats.ts";

/** A partner's chat: an incoming webhook of its chat, or a Telegram bot with the chat that it writes to. */
const chatSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("webhook"), url: z.string() }),
  z.object({ kind: z.literal("telegram"), token: z.string(), chat: z.string() }),
]);

export type Chat = z.infer<typeof chatSchema>;

export interface ChatDeps {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly secretCipher: SecretCipher;
}

/** What the encrypted address is bound to. */
const contextOf = (partnerId: string) => `chat_${partnerId}`;

/** Sets a partner's chat. The address is stored encrypted, and is not in the audit log. */
export async function setChat({ directory, clock, secretCipher }: ChatDeps, partnerId: string, chat: Chat, actor: Actor): Promise<void> {
  const now = clock.now();
  const address = await secretCipher.encrypt(JSON.stringify(chat), contextOf(partnerId));
  const entry = { actor, action: "chat.set", target: contextOf(partnerId), partnerId, after: { kind: chat.kind } };
  const set = { kind: chat.kind, address, updatedAt: now };
  await directory.batch([
    auditRow(directory, entry, now),
    directory
      .insert(chats)
      .values({ partnerId, ...set })
      .onConflictDoUpdate({ target: chats.partnerId, set }),
  ]);
}

/** Removes a partner's chat. False if it has none. */
export async function removeChat({ directory, clock }: ChatDeps, partnerId: string, actor: Actor): Promise<boolean> {
  const hasOne = sql`EXISTS (SELECT 1 FROM ${chats} WHERE ${eq(chats.partnerId, partnerId)})`;
  const entry = { actor, action: "chat.remove", target: contextOf(partnerId), partnerId };
  const [, { meta }] = await directory.batch([
    auditRow(directory, entry, clock.now(), hasOne),
    directory.delete(chats).where(eq(chats.partnerId, partnerId)),
  ]);
  return meta.changes > 0;
}

/** The chats of these partners; no entry for a partner without one, or whose address cannot be decrypted. */
export async function chatsOf({ directory, secretCipher }: ChatDeps, partnerIds: readonly string[]): Promise<ReadonlyMap<string, Chat>> {
  const rows = await directory
    .select()
    .from(chats)
    .where(inArray(chats.partnerId, inList([...new Set(partnerIds)])))
    .all();
  const opened = await Promise.all(
    rows.map(async ({ partnerId, address }) => {
      const text = await secretCipher.decrypt(address, contextOf(partnerId)).catch(() => null);
      return text === null ? null : ([partnerId, parseJson(chatSchema, text)] as const);
    }),
  );
  return new Map(opened.filter((one) => one !== null));
}

/** When a partner's chat was set, in Unix milliseconds; null without one. */
export async function chatSetAt({ directory }: ChatDeps, partnerId: string): Promise<number | null> {
  const row = await directory.select({ at: chats.updatedAt }).from(chats).where(eq(chats.partnerId, partnerId)).get();
  return row?.at ?? null;
}

/**
 * Encrypts the addresses with the current key, so that older keys can be deleted. Returns their number, and the partners
 * whose address could not be decrypted.
 */
export async function reEncryptChats({ directory, secretCipher }: ChatDeps) {
  const prefix = `${secretCipher.currentKey}.`;
  const isOther = sql`substr(${chats.address}, 1, ${prefix.length}) <> ${prefix}`;
  const rows = await directory.select().from(chats).where(isOther).all();
  const undecryptable: string[] = [];
  let count = 0;
  for (const { partnerId, address } of rows) {
    const text = await secretCipher.decrypt(address, contextOf(partnerId)).catch(() => null);
    if (text === null) {
      undecryptable.push(contextOf(partnerId));
      continue;
    }
    const encrypted = await secretCipher.encrypt(text, contextOf(partnerId));
    const { meta } = await directory
      .update(chats)
      .set({ address: encrypted })
      .where(and(eq(chats.partnerId, partnerId), eq(chats.address, address)));
    count += meta.changes;
  }
  return { count, undecryptable };
}
