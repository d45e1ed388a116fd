import * as z from "zod";
import { chatUrlError, sendToChat, wasAccepted } from "../../../chats/send.ts";
import { type Chat, chatSetAt, chatsOf, removeChat, setChat } from "../../../chats/store.ts";
import { isoTime } from "../../../core/clock.ts";
import { rejectInput } from "../../../core/errors.ts";
import { limits } from "../../../core/limits.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { definePartnerCall, type PartnerContext } from "../define-call.ts";

const chatAnswer = z.object({
  kind: z.enum(["webhook", "telegram"]),
  host: z.string().describe("Where messages go; the rest of the address is a secret, and is not shown"),
  set_at: z.string(),
});

const NO_CHAT = "You have set no chat. `PUT /partner/chat` sets one.";

async function viewChat({ deps, caller }: PartnerContext): Promise<z.input<typeof chatAnswer>> {
  const chat = (await chatsOf(deps, [caller.partnerId])).get(caller.partnerId);
  const setAt = await chatSetAt(deps, caller.partnerId);
  if (chat === undefined || setAt === null) return notFound(NO_CHAT);
  return { kind: chat.kind, host: hostOf(deps.settings.telegramBase, chat), set_at: isoTime(setAt) };
}

const hostOf = (telegramBase: string, chat: Chat) => new URL(chat.kind === "webhook" ? chat.url : telegramBase).hostname;

export const chatCalls = [
  definePartnerCall({
    command: "chat show",
    method: "GET",
    path: "/partner/chat",
    permission: "webhook_config",
    summary: "Your chat: paid ruble orders, refused payment methods and suspended webhooks are notified there",
    answer: chatAnswer,
    example: "",
    run: viewChat,
  }),
  definePartnerCall({
    command: "chat set",
    method: "PUT",
    path: "/partner/chat",
    permission: "webhook_config",
    needsPasskey: true,
    summary: "Sets your chat: an incoming webhook that takes `text`, or a Telegram bot and the chat that it writes to",
    body: z.discriminatedUnion("kind", [
      z.strictObject({
        kind: z.literal("webhook"),
        webhook_url: z
          .string()
          .max(limits.url.characters)
          .describe("The incoming webhook of Slack, Mattermost, Rocket.Chat or a chat that takes the same"),
      }),
      z.strictObject({
        kind: z.literal("telegram"),
        token: z
          .string()
          .regex(/^\d{3,20}:[A-Za-z0-9_-]{20,100}$/, "must be a bot's token, such as 123456:ABC…")
          .describe("The bot's token"),
        chat: z
          .string()
          .regex(/^(?:-?\d{1,20}|@\w{3,64})$/, "must be a chat's number or its @name")
          .describe("The chat: its number or @name"),
      }),
    ]),
    positional: ["kind"],
    answer: chatAnswer,
    example: "webhook --webhook_url https://chat.example.com/hooks/…",
    async run(context, { body }) {
      const { deps, caller, actor } = context;
      const chat: Chat = body.kind === "webhook" ? { kind: "webhook", url: body.webhook_url } : body;
      const fault = chat.kind === "webhook" ? chatUrlError(deps, chat.url) : null;
      if (fault !== null) rejectInput(`webhook_url: ${fault}`, "webhook_url");
      await setChat(deps, caller.partnerId, chat, actor);
      return viewChat(context);
    },
  }),
  definePartnerCall({
    command: "chat remove",
    method: "DELETE",
    path: "/partner/chat",
    permission: "webhook_config",
    summary: "Removes your chat: no notification is sent there any more",
    answer: z.object({ success: z.literal(true) }),
    example: "",
    async run({ deps, caller, actor }) {
      return (await removeChat(deps, caller.partnerId, actor)) ? { success: true as const } : notFound(NO_CHAT);
    },
  }),
  definePartnerCall({
    command: "chat test",
    method: "POST",
    path: "/partner/chat/test",
    permission: "webhook_config",
    summary: "Sends a test message to your chat, and shows what it answered",
    answer: z.object({ success: z.boolean(), status: z.int().nullable(), error: z.string().nullable() }),
    example: "",
    async run({ deps, caller }) {
      const chat = (await chatsOf(deps, [caller.partnerId])).get(caller.partnerId) ?? conflict(NO_CHAT);
      const answer = await sendToChat(deps, chat, "This is a test: your chat is connected.");
      const success = wasAccepted(answer);
      if ("error" in answer) return { success, status: null, error: answer.error };
      return { success, status: answer.status, error: success ? null : "status" };
    },
  }),
];
