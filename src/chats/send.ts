import { SECOND } from "../core/clock.ts";
import type { Settings } from "../core/settings.ts";
import { fetchUpstream } from "../core/trace.ts";
import { type DeliveryUrlSettings, deliveryUrlError } from "../webhooks/endpoints/endpoint-url.ts";
import type { Chat } from "./store.ts";

const ANSWER_TIMEOUT = 5 * SECOND;

export interface ChatSendDeps {
  readonly settings: DeliveryUrlSettings & Pick<Settings, "telegramBase">;
}

/** What a chat answered to a message: its HTTP status, or why there was none. */
export type ChatAnswer = { readonly status: number } | { readonly error: "timeout" | "connection" | "forbidden_url" };

/** Whether the chat took the message: it answered with a status of 2xx. */
export const wasAccepted = (answer: ChatAnswer) => "status" in answer && answer.status >= 200 && answer.status < 300;

/** Why the address of a chat is not allowed; null if it is. Only local development allows an address on this machine. */
export function chatUrlError({ settings }: ChatSendDeps, url: string): string | null {
  return deliveryUrlError(url, settings.local ? "test" : "live", settings);
}

/** Sends one message to a chat, once. Redirects are not followed. Never throws. */
export async function sendToChat(deps: ChatSendDeps, chat: Chat, text: string): Promise<ChatAnswer> {
  const { url, body } = requestOf(deps, chat, text);
  // The rules may have become stricter since the address was given.
  if (chat.kind === "webhook" && chatUrlError(deps, url) !== null) return { error: "forbidden_url" };
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(), ANSWER_TIMEOUT);
  try {
    const response = await fetchUpstream(url, {
      method: "POST",
      redirect: "manual",
      signal: over.signal,
      headers: { "Content-Type": "application/json", "User-Agent": "partner-payments-chat/1" },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
    return { status: response.status };
  } catch {
    return { error: over.signal.aborted ? "timeout" : "connection" };
  } finally {
    clearTimeout(timer);
  }
}

function requestOf({ settings }: ChatSendDeps, chat: Chat, text: string): { readonly url: string; readonly body: object } {
  if (chat.kind === "webhook") return { url: chat.url, body: { text } };
  return { url: `${settings.telegramBase}/bot${chat.token}/sendMessage`, body: { chat_id: chat.chat, text } };
}
