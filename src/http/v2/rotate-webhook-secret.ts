import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { limits } from "../../core/limits.ts";
import { rotateSecretWorkflow, rotateWebhookSecret } from "../../webhooks/endpoints/rotate-secret.ts";
import { defineOperation } from "../operation.ts";
import { clientTokenOf, signingSecret } from "../schemas.ts";
import { v2 } from "./generation.ts";

/** Operation 11. */
export const rotatePartnerWebhookSecret = defineOperation(v2, {
  name: rotateSecretWorkflow.operation,
  title: "Rotate a webhook secret",
  method: "webhooks.rotateSecret",
  summary: `Replace the signing secret of an environment; the old one stays valid for ${limits.rotation.days} days`,
  description:
    "Each new client_token is one rotation. Until previous_valid_until both secrets sign every delivery, so you have time to give your receivers the new one. A second rotation within that time ends the older secret at once.",
  hint: `Use it only where the person asks for it, as after a secret has leaked. The receivers must have the new secret within ${limits.rotation.days} days. Do not repeat the secret that it answers.`,
  permission: "webhook_config",
  key: "header",
  effect: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input: z.object({ environment: environmentSchema, client_token: clientTokenOf("rotation") }),
  output: z.object({
    environment: environmentSchema,
    rotated: z
      .boolean()
      .describe(
        "False if the token was used before, or if later rotations at the same moment have already replaced its secret: then signing_secret is the current one",
      ),
    ...signingSecret,
    previous_valid_until: z.iso.datetime().describe("Until when the previous secret also signs"),
  }),
  // The interface lists PREVIOUS_ATTEMPT_FAILED, but it does not occur: only our own database can fail here, and a
  // repeat resumes the rotation.
  fails: ["key_reused_with_different_payload", "previous_attempt_failed", "operation_in_progress"],
  example: {
    request: { environment: "test", client_token: "example-rotation" },
    response: {
      environment: "test",
      rotated: true,
      secret_status: "issued",
      signing_secret: "whsec_test_9a8e6352d1c0b9a8e63524f74f7d1c0b",
      previous_valid_until: "2026-11-28T08:30:00.000Z",
    },
  },
  environmentsOf: ({ environment }) => [environment],
  hasDryRun: true,
  async run(deps, caller, body) {
    const rotation = await rotateWebhookSecret(deps, caller, { environment: body.environment, clientToken: body.client_token });
    return {
      environment: body.environment,
      rotated: rotation.rotated,
      secret_status: rotation.rotated ? ("issued" as const) : ("returned" as const),
      signing_secret: rotation.secret,
      previous_valid_until: isoTime(rotation.previousValidUntil),
    };
  },
});
