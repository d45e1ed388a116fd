import * as z from "zod";
import type { Settings } from "../core/settings.ts";
import { type DeliveryUrlSettings, deliveryUrlError } from "../webhooks/endpoints/endpoint-url.ts";

/** A partner's chat: an incoming webhook of its chat, or a Telegram bot with the chat that it writes to. */
export const chatSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("webhook"), url: z.string() }),
  z.object({ kind: z.literal("telegram"), token: z.string(), chat: z.string() }),
]);

export type Chat = z.infer<typeof chatSchema>;

export interface ChatSettings {
  readonly settings: DeliveryUrlSettings & Pick<Settings, "telegramBase">;
}

/** Why the address of a chat is not allowed; null if it is. Only local development allows an address on this machine. */
export function chatUrlError({ settings }: ChatSettings, chat: Chat): string | null {
  return chat.kind === "webhook" ? deliveryUrlError(chat.url, settings.local ? "test" : "live", settings) : null;
}

/** The request that sends a message to a chat. */
export function chatRequest({ settings }: ChatSettings, chat: Chat, text: string) {
  const headers = { "Content-Type": "application/json", "User-Agent": "partner-payments-chat/1" };
  if (chat.kind === "telegram")
    return { url: `${settings.telegramBase}/bot${chat.token}/sendMessage`, headers, body: JSON.stringify({ chat_id: chat.chat, text }) };
  return { url: chat.url, headers, body: JSON.stringify(isDiscord(chat.url) ? { content: text } : { text }) };
}

/** Discord takes `content`, but for its addresses that end in `/slack`, which take `text` as other chats do. */
function isDiscord(url: string): boolean {
  const { hostname, pathname } = new URL(url);
  const isItsHost = ["discord.com", "discordapp.com"].some((host) => hostname === host || hostname.endsWith(`.${host}`));
  return isItsHost && pathname.startsWith("/api/webhooks/") && !pathname.endsWith("/slack");
}

/** The host that messages go to. The rest of the address is a secret. */
export const hostOf = ({ settings }: ChatSettings, chat: Chat): string =>
  new URL(chat.kind === "webhook" ? chat.url : settings.telegramBase).hostname;
