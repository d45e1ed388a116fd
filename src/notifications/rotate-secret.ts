import { z } from "zod";
import { type Clock, DAY } from "../core/clock.ts";
import type { Environment } from "../core/environment.ts";
import { newId } from "../core/ids.ts";
import type { Database } from "../db/client.ts";
import { doOnce, type OperationObjects } from "../idempotency/client.ts";
import { secondGeneration } from "../idempotency/second-generation.ts";
import type { Work } from "../idempotency/work.ts";
import type { Caller } from "../partners/authenticate.ts";
import { endpointIdOf, findEndpoint } from "./endpoints-store.ts";
import { newSigningSecret, type SecretBox } from "./secret-box.ts";
import { rotateSecret, secretsOf } from "./secrets-store.ts";

/** For how long the secret before the new one signs too (interface, "Limits"). */
const GRACE = 7 * DAY;

const planSchema = z.object({ environment: z.enum(["live", "test"]) });
type Plan = z.infer<typeof planSchema>;

/** Which secret came of it; the record never holds one. */
const resultSchema = z.object({ secretId: z.string() });
type Rotated = z.infer<typeof resultSchema>;

interface RotationTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly secretBox: SecretBox;
}

export interface Rotation {
  /** Whether this very request made the secret. */
  readonly rotated: boolean;
  /** The one that this request made; of a repeat, the current one. */
  readonly secret: string;
  /** Until when the secret before that one was given time, in Unix milliseconds. */
  readonly previousValidUntil: number;
}

/**
 * Gives an endpoint a new signing secret, once per token; the old one signs too for seven days (interface, operation
 * 11). A repeat gives the secret that is current by then, which a later rotation may have made.
 * @throws ServiceFailure `invalid_input` where nothing is registered for the environment; of the token's state.
 */
export async function rotateWebhookSecret(
  tools: RotationTools & { readonly operationObjects: OperationObjects },
  { partnerId }: Caller,
  { environment, clientToken }: { readonly environment: Environment; readonly clientToken: string },
): Promise<Rotation> {
  const endpointId = endpointIdOf(partnerId, environment);
  const endpoint = await findEndpoint(tools.db, endpointId);
  const message = `environment: no webhook is registered for ${environment}; register one first`;
  const { result, replayed } = await doOnce(tools.operationObjects, rotateSecretWork, {
    partnerId,
    key: { kind: "token", text: clientToken },
    content: { environment },
    plan: { environment },
    refuseNew: endpoint === undefined ? { kind: "invalid_input", message, field: "environment" } : null,
  });
  const secrets = await secretsOf(tools.db, endpointId);
  // Another rotation may have come in between: whoever made a secret is told of that one, unless it is gone already.
  const own = replayed ? undefined : secrets.find(({ id }) => id === result.secretId);
  const told = own ?? secrets[0];
  if (told === undefined || told.previousValidUntil === null) throw new Error("a rotated endpoint has no secret after another");
  const secret = await tools.secretBox.open(told.sealed, endpointId);
  return { rotated: !replayed, secret, previousValidUntil: told.previousValidUntil };
}

/** What {@link rotateWebhookSecret} does once per token: one transaction, with the record's own completion in it. */
export const rotateSecretWork: Work<RotationTools, Plan, Rotated> = {
  operation: "rotate-partner-webhook-secret",
  generation: secondGeneration({ whileRunning: "refuse", afterFailure: "refuse" }),
  plan: planSchema,
  result: resultSchema,
  // A secret that nobody was told of would sign from then on: only the caller's own repeat may make it.
  finishUnasked: false,
  async perform(tools, { environment }, run) {
    const now = tools.clock.now();
    const endpointId = endpointIdOf(run.partnerId, environment);
    const sealed = await tools.secretBox.seal(newSigningSecret(environment), endpointId);
    const secretId = newId("secret");
    return run.complete({ secretId }, rotateSecret(tools.db, endpointId, { id: secretId, sealed }, now, now + GRACE));
  },
};
