import { z } from "zod";
import type { Clock } from "../core/clock.ts";
import { rejectInput } from "../core/errors.ts";
import { newId } from "../core/ids.ts";
import type { Settings } from "../core/settings.ts";
import { type Database, type Statement, writeTogether } from "../db/client.ts";
import { doOnce, type OperationObjects } from "../idempotency/client.ts";
import { secondGeneration } from "../idempotency/second-generation.ts";
import type { Work } from "../idempotency/work.ts";
import type { Caller } from "../partners/authenticate.ts";
import { whyNotDeliverable } from "./endpoint-urls.ts";
import { endpointIdOf, putEndpoint } from "./endpoints-store.ts";
import { newSigningSecret, type SecretBox } from "./secret-box.ts";
import { currentSecrets, putFirstSecret } from "./secrets-store.ts";

const planSchema = z.object({ endpoints: z.array(z.object({ environment: z.enum(["live", "test"]), url: z.string() })) });
type Plan = z.infer<typeof planSchema>;

/** The secrets are not in here: a record never holds one. `secretId` is that of the secret which this run offered. */
const resultSchema = z.object({
  endpoints: z.array(z.object({ environment: z.enum(["live", "test"]), url: z.string(), secretId: z.string() })),
});
type Registered = z.infer<typeof resultSchema>;

interface RegistrationTools {
  readonly clock: Clock;
  readonly db: Database;
  readonly secretBox: SecretBox;
}

export interface Registration {
  readonly environment: "live" | "test";
  readonly url: string;
  readonly secret: string;
  /** Whether this very request made the secret. */
  readonly issued: boolean;
}

/**
 * Registers a partner's webhook URLs and gives the current secret of each (interface, operation 10). Registering
 * another URL moves the endpoint and keeps its secret; an endpoint that was suspended is resumed. Without a token the
 * request is simply carried out: it is idempotent by itself, and going back to an earlier URL must take effect.
 * @throws ServiceFailure `invalid_input` for a URL that deliveries may not go to, or none; of the key's state.
 */
export async function registerWebhook(
  tools: RegistrationTools & { readonly settings: Settings; readonly operationObjects: OperationObjects },
  caller: Caller,
  request: { readonly liveUrl: string | undefined; readonly testUrl: string | undefined; readonly clientToken: string | undefined },
): Promise<Registration[]> {
  const plan = planRegistration(request, tools.settings);
  const { partnerId } = caller;
  const { clientToken } = request;
  if (clientToken === undefined) {
    const { registered, statements } = await prepareEndpoints(tools, partnerId, plan);
    await writeTogether(tools.db, statements);
    return withSecrets(tools, partnerId, registered, false);
  }
  const { result, replayed } = await doOnce(tools.operationObjects, registerWebhookWork, {
    partnerId,
    key: { kind: "token", text: clientToken },
    content: plan,
    plan,
  });
  return withSecrets(tools, partnerId, result, replayed);
}

/** What {@link registerWebhook} has done once per token: the endpoints, and a secret for each that has none. */
export const registerWebhookWork: Work<RegistrationTools, Plan, Registered> = {
  operation: "register-partner-notifications-webhook",
  generation: secondGeneration({ whileRunning: "join", afterFailure: "try_again" }),
  plan: planSchema,
  result: resultSchema,
  // Another URL may have been registered since: an old wish must not come true by itself.
  finishUnasked: false,
  async perform(tools, plan, run) {
    const { registered, statements } = await prepareEndpoints(tools, run.partnerId, plan);
    return run.complete(registered, statements);
  },
};

function planRegistration(
  request: { readonly liveUrl: string | undefined; readonly testUrl: string | undefined },
  settings: Settings,
): Plan {
  const endpoints: Plan["endpoints"] = [];
  for (const [environment, url] of [["live", request.liveUrl] as const, ["test", request.testUrl] as const]) {
    if (url === undefined) continue;
    const reason = whyNotDeliverable(url, environment, settings);
    if (reason !== null) rejectInput(`${environment}_url ${reason}`, `${environment}_url`);
    endpoints.push({ environment, url });
  }
  if (endpoints.length === 0) rejectInput("give live_url, test_url or both", "live_url");
  return { endpoints };
}

/** The rows of each endpoint, with a secret on offer for one that has none yet. */
async function prepareEndpoints(tools: RegistrationTools, partnerId: string, plan: Plan) {
  const now = tools.clock.now();
  const statements: Statement[] = [];
  const registered: Registered = { endpoints: [] };
  for (const { environment, url } of plan.endpoints) {
    const secretId = newId("secret");
    const endpointId = endpointIdOf(partnerId, environment);
    const sealed = await tools.secretBox.seal(newSigningSecret(environment), endpointId);
    statements.push(...putEndpoint(tools.db, { partnerId, environment, url }, now));
    statements.push(putFirstSecret(tools.db, endpointId, { id: secretId, sealed }, now));
    registered.endpoints.push({ environment, url, secretId });
  }
  return { registered, statements };
}

async function withSecrets(tools: RegistrationTools, partnerId: string, result: Registered, replayed: boolean): Promise<Registration[]> {
  const idOf = (environment: "live" | "test") => endpointIdOf(partnerId, environment);
  const secrets = await currentSecrets(
    tools.db,
    result.endpoints.map(({ environment }) => idOf(environment)),
  );
  return Promise.all(
    result.endpoints.map(async ({ environment, url, secretId }) => {
      const current = secrets.find(({ endpointId }) => endpointId === idOf(environment));
      if (current === undefined) throw new Error("a registered endpoint has no current secret");
      const secret = await tools.secretBox.open(current.sealed, idOf(environment));
      return { environment, url, secret, issued: !replayed && current.id === secretId };
    }),
  );
}
