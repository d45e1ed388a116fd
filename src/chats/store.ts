import { sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { environments } from "../core/environment.ts";
import { CHAT_CODE, endpointIdOf, newId } from "../core/ids.ts";
import { parseJson } from "../core/json.ts";
import { type Cell, runBatch } from "../db/client.ts";
import { endpoints } from "../db/schema/webhooks.ts";
import { removeChannel } from "../webhooks/endpoints/channels.ts";
import { currentSecrets, insertFirstSecret, type SecretDeps } from "../webhooks/endpoints/secrets-store.ts";
import { findEndpoint } from "../webhooks/endpoints/store.ts";
import { type Chat, type ChatSettings, chatSchema, hostOf } from "./chat.ts";

export interface ChatDeps extends ChatSettings, SecretDeps {}

/** A partner's chat is an endpoint of each environment, with the same address. */
const chatIdsOf = (partnerId: string) =>
  environments.map((environment) => ({ id: endpointIdOf(partnerId, environment, CHAT_CODE), environment }));

/** The target of a chat in the audit log. */
const targetOf = (partnerId: string) => `chat_${partnerId}`;

/**
 * Sets a partner's chat. The address is stored encrypted, and is not in the audit log. Messages that waited for the chat before are not
 * sent any more. One D1 round trip.
 */
export async function setChat(deps: ChatDeps, partnerId: string, chat: Chat, actor: Actor): Promise<void> {
  const { db, clock, secretCipher } = deps;
  const now = clock.now();
  const entry = { actor, action: "chat.set" as const, target: targetOf(partnerId), partnerId, after: { kind: chat.kind } };
  const channel = chat.kind === "webhook" ? ("chat" as const) : chat.kind;
  const of = { partnerId, code: CHAT_CODE, url: hostOf(deps, chat), channel };
  const statements = chatIdsOf(partnerId).map(async ({ id, environment }) => {
    const encrypted = await secretCipher.encrypt(JSON.stringify(chat), id);
    return [
      ...removeChannel(db, id),
      // The result of an attempt at the address before is none of this one.
      db.insert(endpoints).values({ id, environment, ...of, status: "active", revision: now, createdAt: now, updatedAt: now }),
      insertFirstSecret(db, id, { id: newId("secret"), encrypted }, now),
    ];
  });
  await runBatch(db, [auditRow(db, entry, now), ...(await Promise.all(statements)).flat()]);
}

/** Removes a partner's chat. False if it has none. */
export async function removeChat({ db, clock }: Pick<ChatDeps, "db" | "clock">, partnerId: string, actor: Actor): Promise<boolean> {
  const ids = chatIdsOf(partnerId).map(({ id }) => id);
  const [first = ""] = ids;
  if ((await findEndpoint(db, first)) === undefined) return false;
  const hasOne = sql`EXISTS (SELECT 1 FROM ${endpoints} WHERE id = ${first})`;
  const entry = { actor, action: "chat.remove" as const, target: targetOf(partnerId), partnerId };
  await runBatch(db, [auditRow(db, entry, clock.now(), hasOne), ...ids.flatMap((id) => removeChannel(db, id))]);
  return true;
}

/** The endpoints that a partner's chat has; none without one. Two D1 round trips. */
export async function endpointsOfChat(db: Cell, partnerId: string) {
  const found = await Promise.all(chatIdsOf(partnerId).map(({ id }) => findEndpoint(db, id)));
  return found.filter((endpoint) => endpoint !== undefined);
}

/** A partner's chat, with the endpoints that messages of each environment go by. Null without one, or if its address cannot be decrypted. */
export async function chatOf({ db, secretCipher }: Pick<ChatDeps, "db" | "secretCipher">, partnerId: string) {
  const found = await endpointsOfChat(db, partnerId);
  const [first] = found;
  const secret = first && (await currentSecrets(db, [first.id]))[0];
  if (first === undefined || secret === undefined) return null;
  const text = await secretCipher.decrypt(secret.encrypted, first.id).catch(() => null);
  return text === null ? null : { chat: parseJson(chatSchema, text), endpoints: found };
}
