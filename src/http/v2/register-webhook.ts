import { z } from "zod";
import { registerWebhook } from "../../notifications/register-webhook.ts";
import { defineOperation } from "../operation.ts";
import { clientToken } from "../schemas.ts";

const output = z.object({
  registered: z.array(
    z.object({
      environment: z.enum(["live", "test"]),
      webhook_url: z.string(),
      secret_status: z.enum(["issued", "returned"]),
      signing_secret: z.string(),
    }),
  ),
});

/** Operation 10. */
export const registerNotificationsWebhook = defineOperation("v2", {
  name: "register-partner-notifications-webhook",
  summary: "Register the URLs that your events go to, and get their signing secrets",
  permission: "webhook_config",
  key: "header",
  input: z.object({ live_url: z.string().optional(), test_url: z.string().optional(), client_token: clientToken.optional() }),
  output,
  async run(tools, caller, body) {
    const request = { liveUrl: body.live_url, testUrl: body.test_url, clientToken: body.client_token };
    const registrations = await registerWebhook(tools, caller, request);
    return {
      registered: registrations.map(({ environment, url, secret, issued }) => ({
        environment,
        webhook_url: url,
        secret_status: issued ? ("issued" as const) : ("returned" as const),
        signing_secret: secret,
      })),
    };
  },
});
