import { z } from "zod";
import { isoTime } from "../../core/clock.ts";
import { rotateWebhookSecret } from "../../notifications/rotate-secret.ts";
import { defineOperation } from "../operation.ts";
import { clientToken } from "../schemas.ts";

/** Operation 11. */
export const rotatePartnerWebhookSecret = defineOperation("v2", {
  name: "rotate-partner-webhook-secret",
  summary: "Replace the signing secret of an environment; the old one stays valid for seven days",
  permission: "webhook_config",
  key: "header",
  input: z.object({ environment: z.enum(["live", "test"], "must be live or test"), client_token: clientToken }),
  output: z.object({
    environment: z.enum(["live", "test"]),
    rotated: z.boolean(),
    secret_status: z.enum(["issued", "returned"]),
    signing_secret: z.string(),
    previous_valid_until: z.iso.datetime(),
  }),
  async run(tools, caller, { environment, client_token }) {
    const rotation = await rotateWebhookSecret(tools, caller, { environment, clientToken: client_token });
    return {
      environment,
      rotated: rotation.rotated,
      secret_status: rotation.rotated ? ("issued" as const) : ("returned" as const),
      signing_secret: rotation.secret,
      previous_valid_until: isoTime(rotation.previousValidUntil),
    };
  },
});
