import * as z from "zod";
import { environmentSchema, environments } from "../../core/environment.ts";
import { limits } from "../../core/limits.ts";
import { registerWebhook, registerWebhookWorkflow } from "../../webhooks/endpoints/register-webhook.ts";
import { defineOperation } from "../operation.ts";
import { clientTokenOf, signingSecret } from "../schemas.ts";
import { v2 } from "./generation.ts";

/** The registered endpoints with their current secrets (interface 10.4). */
const output = z.object({
  registered: z.array(
    z.object({ environment: environmentSchema, webhook_url: z.string(), ...signingSecret }).meta({ title: "RegisteredWebhook" }),
  ),
});

/** Operation 10. */
export const registerNotificationsWebhook = defineOperation(v2, {
  name: registerWebhookWorkflow.operation,
  title: "Register webhooks",
  method: "webhooks.register",
  summary: "Register the URLs for your events, and get their signing secrets",
  description:
    "At least one of the two URLs. The first registration of an environment creates its signing secret; each later one returns the current secret. Another URL replaces the previous one and keeps the secret; DELETE /partner/webhooks/<environment> unregisters it. Registering again also resumes an endpoint that was suspended.",
  hint: "Use it only where the person asks to change where events go: the new address replaces the old one at once, and the old receiver gets nothing more. Do not repeat the signing_secret that it answers; say where the person finds it.",
  permission: "webhook_config",
  key: "header",
  effect: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input: z.object({
    live_url: z
      .string()
      .optional()
      .meta({ description: "The URL for live events: https on a public host", maxLength: limits.url.characters }),
    test_url: z.string().optional().meta({ description: "The URL for test events: http or https", maxLength: limits.url.characters }),
    client_token: clientTokenOf("registration").optional().describe("Rarely needed: a repeat with the same token has no second effect"),
  }),
  wireNames: { "urls.live": "live_url", "urls.test": "test_url" },
  output,
  fails: ["key_reused_with_different_payload"],
  example: {
    request: { test_url: "http://localhost:8788/inbox/acme" },
    response: {
      registered: [
        {
          environment: "test",
          webhook_url: "http://localhost:8788/inbox/acme",
          secret_status: "issued",
          signing_secret: "whsec_test_4f7d1c0b9a8e6352d1c0b9a8e63524f7",
        },
      ],
    },
  },
  environmentsOf: (body) => environments.filter((environment) => body[`${environment}_url`] !== undefined),
  hasDryRun: true,
  async run(deps, caller, body) {
    const request = { urls: { live: body.live_url, test: body.test_url }, clientToken: body.client_token };
    const registrations = await registerWebhook(deps, caller, request);
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
