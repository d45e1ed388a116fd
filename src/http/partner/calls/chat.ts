import * as z from "zod";
import { type Chat, chatUrlError, hostOf } from "../../../chats/chat.ts";
import { chatOf, endpointsOfChat, removeChat, setChat } from "../../../chats/store.ts";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { rejectInput } from "../../../core/errors.ts";
import { limits } from "../../../core/limits.ts";
import { isHeld, stateOfWebhook, webhookStates } from "../../../core/object-states.ts";
import { sendToChat } from "../../../webhooks/delivery/send.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { definePartnerCall, type PartnerContext } from "../define-call.ts";

const chatAnswer = z.object({
  kind: z.enum(["webhook", "telegram"]),
  host: z.string().describe("Where messages go; the rest of the address is a secret, and is not shown"),
  set_at: z.string(),
  state: z
    .enum(webhookStates)
    .describe("`failing` or `suspended`: it takes no messages; `GET /partner/deliveries?webhook=live.chat` has what it answered"),
  failing_since: z.string().nullable(),
});

const NO_CHAT = "You have set no chat. `PUT /partner/chat` sets one.";

async function viewChat({ own, caller, deps }: PartnerContext): Promise<z.input<typeof chatAnswer>> {
  const { chat, endpoints } = (await chatOf(own, caller.partnerId)) ?? notFound(NO_CHAT);
  // The endpoint in the worst state: one may not have been used for long.
  const worst = endpoints.toSorted(
    (left, right) => webhookStates.indexOf(stateOfWebhook(right)) - webhookStates.indexOf(stateOfWebhook(left)),
  )[0];
  if (worst === undefined) return notFound(NO_CHAT);
  return {
    kind: chat.kind,
    host: hostOf(deps, chat),
    set_at: isoTime(worst.createdAt),
    state: stateOfWebhook(worst),
    failing_since: isoTimeOrNull(worst.failingSince),
  };
}

/** @throws CallRefusal 409 for a chat that support suspended: a new one must not lift that, and nothing is sent to it */
async function refuseHeld({ own, caller }: PartnerContext): Promise<void> {
  // Also where its address cannot be decrypted any more.
  if ((await endpointsOfChat(own.db, caller.partnerId)).some(isHeld))
    conflict("Support suspended your chat, and only support resumes it. Ask support.");
}

export const chatCalls = [
  definePartnerCall({
    command: "chat show",
    path: "/partner/chat",
    permission: "webhook_config",
    summary: "Your chat: it gets a message about paid ruble orders, refused payment methods, disputes, and webhooks that fail or recover",
    answer: chatAnswer,
    run: viewChat,
  }),
  definePartnerCall({
    command: "chat set",
    method: "PUT",
    path: "/partner/chat",
    permission: "webhook_config",
    needsPasskey: true,
    summary: "Sets your chat: an incoming webhook, or a Telegram bot and the chat that it writes to",
    body: z.discriminatedUnion("kind", [
      z.strictObject({
        kind: z.literal("webhook"),
        webhook_url: z
          .string()
          .max(limits.url.characters)
          .describe("The incoming webhook of Slack, Mattermost, Rocket.Chat Discord, or a chat that takes `text`"),
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
      const { own, deps, caller, actor } = context;
      const chat: Chat = body.kind === "webhook" ? { kind: "webhook", url: body.webhook_url } : body;
      const fault = chatUrlError(deps, chat);
      if (fault !== null) rejectInput(`webhook_url: ${fault}`, "webhook_url");
      await refuseHeld(context);
      await setChat({ ...own, settings: deps.settings }, caller.partnerId, chat, actor);
      return viewChat(context);
    },
  }),
  definePartnerCall({
    command: "chat remove",
    method: "DELETE",
    path: "/partner/chat",
    permission: "webhook_config",
    needsPasskey: true,
    summary: "Removes your chat: no notification is sent there any more",
    answer: z.object({ success: z.literal(true) }),
    async run(context) {
      const { own, caller, actor } = context;
      await refuseHeld(context);
      return (await removeChat(own, caller.partnerId, actor)) ? { success: true as const } : notFound(NO_CHAT);
    },
  }),
  definePartnerCall({
    command: "chat test",
    method: "POST",
    path: "/partner/chat/test",
    permission: "webhook_config",
    summary: "Sends a test message to your chat, and shows what it answered",
    answer: z.object({
      success: z.boolean(),
      status: z.int().nullable(),
      error: z.string().nullable(),
      answer: z.string().nullable().describe("The start of what it answered"),
    }),
    async run(context) {
      const { own, deps, caller } = context;
      await refuseHeld(context);
      const { chat } = (await chatOf(own, caller.partnerId)) ?? conflict(NO_CHAT);
      const { status, errorClass, excerpt } = await sendToChat(deps, chat, "This is a test: your chat is connected.");
      return { success: errorClass === null, status, error: errorClass, answer: excerpt };
    },
  }),
];
