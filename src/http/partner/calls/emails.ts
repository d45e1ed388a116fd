import * as z from "zod";
import { addAddress, addressesOf, codeFor, isCode, type NoticeAddress, removeAddress } from "../../../chats/addresses.ts";
import { mailWithCode } from "../../../chats/mails.ts";
import { isoTime, isoTimeOrNull } from "../../../core/clock.ts";
import { environmentSchema } from "../../../core/environment.ts";
import { rejectInput } from "../../../core/errors.ts";
import { endpointNameIn } from "../../../core/ids.ts";
import { limits } from "../../../core/limits.ts";
import { stateOfWebhook, webhookStates } from "../../../core/object-states.ts";
import { admit } from "../../../partners/change-counts.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { definePartnerCall } from "../define-call.ts";

const emailView = z.object({
  email: z.string().describe("By which calls name it, such as `live.0a1b2`"),
  environment: environmentSchema,
  address: z.string().nullable().describe("Null if it cannot be read: remove it, and add it again"),
  state: z.enum(webhookStates).describe("`failing`: the last messages were not taken"),
  failing_since: z.string().nullable(),
  added_at: z.string(),
});

const view = ({ endpoint, address }: NoticeAddress): z.input<typeof emailView> => ({
  email: endpointNameIn(endpoint.id),
  environment: endpoint.environment,
  address,
  state: stateOfWebhook(endpoint),
  failing_since: isoTimeOrNull(endpoint.failingSince),
  added_at: isoTime(endpoint.createdAt),
});

const NONE = "This service sends no e-mail: its operator has bound no sender.";
const NO_ADDRESS = "You have no such address. `GET /partner/emails` lists them.";

/** An address of one person or mailbox, in plain characters. */
const addressField = z
  .email("must be an e-mail address")
  .max(limits.noticeAddress.characters)
  .transform((text) => text.toLowerCase())
  .describe("Where messages go");

/** E-mail addresses that hear of disputes, their deadlines, and webhooks that fail. */
export const emailCalls = [
  definePartnerCall({
    command: "emails show",
    path: "/partner/emails",
    permission: "webhook_config",
    summary: "Your e-mail addresses for disputes, their deadlines, and webhooks that fail or recover",
    answer: z.object({ available: z.boolean().describe("Whether this service sends e-mail"), data: z.array(emailView), next: z.null() }),
    async run({ own, deps, caller }) {
      return { available: deps.mailer !== null, data: (await addressesOf(own, caller.partnerId)).map(view), next: null };
    },
  }),
  definePartnerCall({
    command: "emails add",
    method: "POST",
    path: "/partner/emails",
    permission: "owner",
    needsPasskey: true,
    summary: `Sends a code to an e-mail address; the same call with the code adds the address, up to ${limits.noticeAddress.perEnvironment} in each environment`,
    body: z.strictObject({
      address: addressField,
      environment: environmentSchema.default("live"),
      code: z.string().trim().toLowerCase().max(40).optional().describe("From the message. Left out: a message with a code is sent"),
    }),
    positional: ["address"],
    answer: z.object({ success: z.literal(true), state: z.enum(["code_sent", "added"]), email: emailView.nullable() }),
    example: "ops@example.com",
    async run({ own, deps, caller, actor }, { body: { address, environment, code } }) {
      const { mailer, settings } = deps;
      if (mailer === null) conflict(NONE);
      const wanted = { partnerId: caller.partnerId, environment, address };
      const known = (await addressesOf(own, caller.partnerId)).filter(({ endpoint }) => endpoint.environment === environment);
      if (known.some((one) => one.address === address)) conflict(`${address} is among your addresses already.`);
      const full = `The ${environment} environment has ${limits.noticeAddress.perEnvironment} addresses, which is the limit: remove one first.`;
      if (known.length >= limits.noticeAddress.perEnvironment) conflict(full);
      const now = own.clock.now();
      if (code === undefined) {
        await admit(own, "mailCode", caller.partnerId);
        const fault = await mailer(mailWithCode(settings, address, await codeFor(settings.encryptionKeys, wanted, now)));
        if (fault !== null)
          conflict(
            `No message could be sent to ${address} (${fault.code}). ${fault.isOfRecipient ? "Check the address." : "Try again later, or write to support."}`,
          );
        return { success: true as const, state: "code_sent" as const, email: null };
      }
      if (!(await isCode(settings.encryptionKeys, wanted, code, now)))
        rejectInput("code: is not the one that was sent to this address today or yesterday. Leave it out to get another", "code");
      const added = (await addAddress({ ...own, settings }, wanted, actor)) ?? conflict(full);
      return { success: true as const, state: "added" as const, email: view(added) };
    },
  }),
  definePartnerCall({
    command: "emails remove",
    method: "DELETE",
    path: "/partner/emails/{email}",
    permission: "webhook_config",
    needsPasskey: true,
    summary: "Removes an e-mail address: it gets no message any more",
    answer: z.object({ success: z.literal(true) }),
    example: "live.0a1b2",
    async run({ own, caller, actor }, { params: { email } }) {
      const known = (await addressesOf(own, caller.partnerId)).find(({ endpoint }) => endpointNameIn(endpoint.id) === email);
      const left = await removeAddress(own, known?.endpoint ?? notFound(NO_ADDRESS), actor);
      if (left !== undefined) conflict("Support has suspended this address. Only support can remove it.");
      return { success: true as const };
    },
  }),
];
