import * as z from "zod";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { DAY } from "../../core/clock.ts";
import { type Environment, environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { endpointIdOf, newId, partnerOfEndpoint } from "../../core/ids.ts";
import { limits } from "../../core/limits.ts";
import { previewOf } from "../../core/preview.ts";
import { newSigningSecret } from "../../core/secret-cipher.ts";
import { runBatch } from "../../db/client.ts";
import { type KeyActors, runIdempotent } from "../../idempotency/client.ts";
import { v2Protocol } from "../../idempotency/v2-protocol.ts";
import type { Workflow } from "../../idempotency/workflow.ts";
import { type Caller, holderName } from "../../partners/authenticate.ts";
import { currentSecrets, rotateSecret, type SecretDeps, secretsOf } from "./secrets-store.ts";
import { findEndpoint } from "./store.ts";

/** The grace period in which the previous secret also signs (interface 11.2). */
const GRACE_PERIOD = limits.rotation.days * DAY;

const planSchema = z.object({ environment: environmentSchema });
type Plan = z.infer<typeof planSchema>;

/** The id of the new secret; the record never stores the secret itself. */
const resultSchema = z.object({ secretId: z.string() });
type Rotated = z.infer<typeof resultSchema>;

export interface Rotation {
  /** Whether this request created the secret. False too if its secret is already over: later rotations have replaced it. */
  readonly rotated: boolean;
  /** The secret that this request created; for a repeat, or if that secret is over, the current one. */
  readonly secret: string;
  /** The end of the grace period of the secret before `secret`, in Unix milliseconds. */
  readonly previousValidUntil: number;
}

/**
 * Creates a new signing secret for an endpoint, once per token. The old secret also signs for seven days.
 * A repeat returns the current secret, which may come from a later rotation (interface 11.3).
 * @throws ServiceFailure `invalid_input` if no webhook is registered for the environment (interface 11.1); errors of the
 * token's state.
 */
export async function rotateWebhookSecret(
  deps: SecretDeps & { readonly keyActors: KeyActors },
  caller: Caller,
  { environment, clientToken }: { readonly environment: Environment; readonly clientToken: string },
): Promise<Rotation> {
  const endpointId = endpointIdOf(caller.partnerId, environment);
  const endpoint = await findEndpoint(deps.db, endpointId);
  const { result, replayed } = await runIdempotent(deps.keyActors, rotateSecretWorkflow, {
    caller,
    holder: holderName(caller.holder),
    key: { kind: "client", text: clientToken },
    contents: [{ environment }],
    plan() {
      if (endpoint === undefined) rejectInput(`no webhook is registered for ${environment}; register one first`, "environment");
      return { environment };
    },
  });
  const secrets = await secretsOf(deps.db, endpointId);
  // Other rotations may have followed. Two secrets are kept, so the one that this request created may be over.
  const own = replayed ? undefined : secrets.find(({ id }) => id === result.secretId);
  const returned = own ?? secrets[0];
  if (returned === undefined || returned.previousValidUntil === null)
    throw new Error("a rotated endpoint has no secret that replaced another");
  const secret = await deps.secretCipher.decrypt(returned.encrypted, endpointId);
  return { rotated: own !== undefined, secret, previousValidUntil: returned.previousValidUntil };
}

/** An endpoint's secrets, as far as its partner needs to know them. */
export interface KnownSecret {
  readonly secret: string;
  readonly createdAt: number;
  /** Until when the secret before it also signs; null if none does. */
  readonly previousValidUntil: number | null;
}

/**
 * The current signing secret of a webhook. The audit log records that the actor read it. Null if the
 * webhook is not registered.
 */
export async function revealSecret(
  { db, clock, secretCipher }: Pick<SecretDeps, "db" | "clock" | "secretCipher">,
  endpointId: string,
  actor: Actor,
): Promise<KnownSecret | null> {
  const [current] = await secretsOf(db, endpointId);
  if (current === undefined || current.expiresAt !== null) return null;
  // Written first: no secret is shown of which the log does not know.
  await runBatch(db, [
    auditRow(db, { actor, action: "endpoint.read_secret", target: endpointId, partnerId: partnerOfEndpoint(endpointId) }, clock.now()),
  ]);
  const { previousValidUntil, createdAt } = current;
  return {
    secret: await secretCipher.decrypt(current.encrypted, endpointId),
    createdAt,
    previousValidUntil: previousValidUntil !== null && previousValidUntil > clock.now() ? previousValidUntil : null,
  };
}

/** Until when the secret before the current one of each webhook also signs; none for a webhook with one valid secret. */
export async function previousSecretsUntil(
  { db, clock }: Pick<SecretDeps, "db" | "clock">,
  endpointIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const found = await currentSecrets(db, endpointIds);
  const now = clock.now();
  return new Map(
    found.flatMap(({ endpointId, previousValidUntil }) =>
      previousValidUntil !== null && previousValidUntil > now ? [[endpointId, previousValidUntil] as const] : [],
    ),
  );
}

/** The workflow of {@link rotateWebhookSecret}, once per token: one transaction that also completes the record. */
export const rotateSecretWorkflow: Workflow<SecretDeps, Plan, Rotated> = {
  operation: "rotate-partner-webhook-secret",
  generation: v2Protocol({ whileRunning: "refuse", afterFailure: "refuse" }),
  plan: planSchema,
  result: resultSchema,
  preview: ({ environment }) => previewOf({ kind: "signing_secret", environments: [environment], warnings: [{ code: "old_secret_ends" }] }),
  // Auto-resume would create a secret that the partner has not received. Only the caller's own repeat may create it.
  autoResume: false,
  budget: "webhook_config",
  async perform(deps, { environment }, run) {
    const now = deps.clock.now();
    const endpointId = endpointIdOf(run.partnerId, environment);
    const encrypted = await deps.secretCipher.encrypt(newSigningSecret(environment), endpointId);
    const secretId = newId("secret");
    const entry = { actor: run.actor, action: "endpoint.rotate_secret" as const, target: endpointId, partnerId: run.partnerId };
    return run.complete({ secretId }, [
      auditRow(deps.db, entry, now),
      ...rotateSecret(deps.db, endpointId, { id: secretId, encrypted }, now, now + GRACE_PERIOD),
    ]);
  },
};
