import { or, sql } from "drizzle-orm";
import * as z from "zod";
import { auditRow } from "../../audit/audit-log.ts";
import type { Actor } from "../../core/actor.ts";
import { type Environment, environmentSchema, environments } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { endpointIdOf, newId } from "../../core/ids.ts";
import { type Preview, previewOf, startOrHold } from "../../core/preview.ts";
import { newSigningSecret } from "../../core/secret-cipher.ts";
import type { Settings } from "../../core/settings.ts";
import { type InDirectory, runBatch, type Statement } from "../../db/client.ts";
import { type KeyActors, runIdempotent } from "../../idempotency/client.ts";
import { v2Protocol } from "../../idempotency/v2-protocol.ts";
import type { Workflow } from "../../idempotency/workflow.ts";
import { type Caller, holderName } from "../../partners/authenticate.ts";
import { admit } from "../../partners/change-counts.ts";
import { deliveryUrlError } from "./endpoint-url.ts";
import { currentSecrets, insertFirstSecret, type SecretDeps } from "./secrets-store.ts";
import { isToBeRegistered, upsertEndpoint } from "./store.ts";

const planSchema = z.object({ endpoints: z.array(z.object({ environment: environmentSchema, url: z.string() })) });
type Plan = z.infer<typeof planSchema>;

/** Contains no secret: a record never stores one. `secretId` is a new id, stored only if the endpoint had no secret. */
const resultSchema = z.object({ endpoints: z.array(z.object({ environment: environmentSchema, url: z.string(), secretId: z.string() })) });
type Registered = z.infer<typeof resultSchema>;

interface RegistrationRequest {
  readonly urls: Readonly<Record<Environment, string | undefined>>;
  readonly clientToken: string | undefined;
}

export interface Registration {
  readonly environment: Environment;
  readonly url: string;
  readonly secret: string;
  /** Whether this request created the secret. */
  readonly issued: boolean;
}

/**
 * Registers a partner's webhook URLs and returns the current secret of each (interface 10.1, 10.3). Registering
 * another URL moves the endpoint and keeps its secret. A suspended endpoint is resumed. Without a token the request
 * needs no idempotency record: it is idempotent by itself, and a change back to an earlier URL must take effect.
 * @throws ServiceFailure `invalid_input` if a URL is not allowed or no URL is given; `rate_limited`; errors of the key's state.
 */
export async function registerWebhook(
  deps: SecretDeps & InDirectory & { readonly settings: Settings; readonly keyActors: KeyActors; readonly requestId: string },
  caller: Caller,
  request: RegistrationRequest,
): Promise<Registration[]> {
  const plan = planRegistration(request, deps.settings);
  const { partnerId } = caller;
  const { clientToken } = request;
  if (clientToken === undefined) {
    startOrHold(caller.starts, () => previewOfRegistration(plan));
    const changes = plan.endpoints.map(({ environment, url }) => isToBeRegistered(endpointIdOf(partnerId, environment), url));
    // What is registered already leaves nothing: partners register it again at each start.
    if ((await deps.db.all(sql`SELECT 1 WHERE ${or(...changes)}`)).length > 0) await admit(deps, "registration", partnerId);
    const actor = { name: holderName(caller.holder), requestId: deps.requestId };
    const { registered, statements } = await prepareEndpoints(deps, { partnerId, actor }, plan);
    await runBatch(deps.db, statements);
    return withSecrets(deps, partnerId, registered, false);
  }
  const { result, replayed } = await runIdempotent(deps.keyActors, registerWebhookWorkflow, {
    caller,
    holder: holderName(caller.holder),
    key: { kind: "client", text: clientToken },
    contents: [plan],
    plan: () => plan,
  });
  return withSecrets(deps, partnerId, result, replayed);
}

/** The workflow of {@link registerWebhook}, once per token: writes the endpoints, and missing secrets. */
export const registerWebhookWorkflow: Workflow<SecretDeps, Plan, Registered> = {
  operation: "register-partner-notifications-webhook",
  generation: v2Protocol({ whileRunning: "join", afterFailure: "try_again" }),
  plan: planSchema,
  result: resultSchema,
  preview: previewOfRegistration,
  // The partner may have registered another URL since. An old request must not overwrite it without a repeat by its
  // caller.
  autoResume: false,
  budget: "webhook_config",
  async perform(deps, plan, run) {
    const { registered, statements } = await prepareEndpoints(deps, run, plan);
    return run.complete(registered, statements);
  },
};

function previewOfRegistration({ endpoints }: Plan): Preview {
  return previewOf({
    kind: "webhook",
    environments: endpoints.map(({ environment }) => environment),
    receivers: endpoints,
    warnings: [{ code: "replaces_url" }],
  });
}

function planRegistration({ urls }: RegistrationRequest, settings: Settings): Plan {
  const endpoints: Plan["endpoints"] = [];
  for (const environment of environments) {
    const url = urls[environment];
    if (url === undefined) continue;
    const reason = deliveryUrlError(url, environment, settings);
    if (reason !== null) rejectInput(reason, `urls.${environment}`);
    endpoints.push({ environment, url });
  }
  if (endpoints.length === 0) rejectInput("give a URL for at least one environment", `urls.${environments[0]}`);
  return { endpoints };
}

/**
 * The statements for each endpoint, with a new secret that is stored only if the endpoint has none. The audit log has where events
 * go from now on, by host: a path may hold a secret.
 */
async function prepareEndpoints(deps: SecretDeps, { partnerId, actor }: { readonly partnerId: string; readonly actor: Actor }, plan: Plan) {
  const now = deps.clock.now();
  const statements: Statement[] = [];
  const registered: Registered = { endpoints: [] };
  for (const { environment, url } of plan.endpoints) {
    const secretId = newId("secret");
    const endpointId = endpointIdOf(partnerId, environment);
    const encrypted = await deps.secretCipher.encrypt(newSigningSecret(environment), endpointId);
    const entry = { actor, action: "endpoint.register" as const, target: endpointId, partnerId, after: { host: new URL(url).host } };
    statements.push(
      auditRow(deps.db, entry, now, isToBeRegistered(endpointId, url)),
      ...upsertEndpoint(deps.db, { partnerId, environment, url }, now),
    );
    statements.push(insertFirstSecret(deps.db, endpointId, { id: secretId, encrypted }, now));
    registered.endpoints.push({ environment, url, secretId });
  }
  return { registered, statements };
}

async function withSecrets(deps: SecretDeps, partnerId: string, result: Registered, replayed: boolean): Promise<Registration[]> {
  const idOf = (environment: Environment) => endpointIdOf(partnerId, environment);
  const secrets = await currentSecrets(
    deps.db,
    result.endpoints.map(({ environment }) => idOf(environment)),
  );
  return Promise.all(
    result.endpoints.map(async ({ environment, url, secretId }) => {
      const current = secrets.find(({ endpointId }) => endpointId === idOf(environment));
      if (current === undefined) throw new Error("a registered endpoint has no current secret");
      const secret = await deps.secretCipher.decrypt(current.encrypted, idOf(environment));
      return { environment, url, secret, issued: !replayed && current.id === secretId };
    }),
  );
}
