import * as z from "zod";
import { environmentSchema } from "../../core/environment.ts";
import { endpointIdOf } from "../../core/ids.ts";

/** How a partner names one of its webhooks: the first one by its environment, a further one by environment and code. */
export const webhookName = z
  .string()
  .regex(/^(?:live|test)(?:\.[0-9a-z]{6})?$/, "must be `live` or `test`, or the name of a webhook that you added, such as `live.k3f9a2`")
  .describe("`live` or `test`: the webhook that `register-partner-notifications-webhook` registered; `live.k3f9a2`: one that you added");

/** Where events go: a webhook, the chat, or an e-mail address. */
export const destinationName = z
  .string()
  .regex(
    /^(live|test)(\.\w{4,6})?$/,
    "must be the name of a webhook, such as `live` or `live.k3f9a2`, `live.chat` for your chat, or that of an e-mail address",
  )
  .describe("A webhook: `live`, `live.k3f9a2`; the chat: `live.chat`; an address: `live.0a1b2`");

/** The webhook with this name. */
export function webhookNamed(partnerId: string, name: string) {
  const [of, code = ""] = name.split(".");
  const environment = environmentSchema.parse(of);
  return { id: endpointIdOf(partnerId, environment, code), environment, code, partnerId };
}
