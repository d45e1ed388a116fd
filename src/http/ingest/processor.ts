import { Hono } from "hono";
import { environments } from "../../core/environment.ts";
import { annotateTrace } from "../../core/trace.ts";
import { receiveProcessorEvents } from "../../ledger/processor-events.ts";
import { readProcessorEvent } from "../../processor/read-event.ts";
import { API_VERSION } from "../../processor/version.ts";
import { bytesOf, limitBodyTo } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";

const MAX_BYTES = 1024 * 1024;

/**
 * The processor's events, one path per environment, because each environment has its own secret. Acknowledged as soon
 * as the event is stored. The processor retries after any response other than 200.
 */
export function processorIngest(): Hono<AppEnv> {
  // Each connected account is logged once per isolate.
  const accountsLogged = new Set<string>();
  const app = new Hono<AppEnv>();
  for (const environment of environments) {
    const path = `/ingest/processor/${environment}`;
    app.post(
      path,
      limitBodyTo(MAX_BYTES, (context) => plainError(context, 413, "The event is too large.")),
      async (context) => {
        const deps = context.get("deps");
        const payload = new TextDecoder().decode(await bytesOf(context.req));
        const signature = context.req.header("Stripe-Signature") ?? "";
        const received = await readProcessorEvent(payload, signature, deps.settings.processor.eventSecrets[environment], deps.clock);
        if (received.kind === "unsigned") {
          annotateTrace({ outcome: "refused", code: "wrong_signature" });
          return plainError(context, 400, "The signature is invalid or too old.");
        }
        if (received.kind !== "event") {
          deps.log.error("the event destination must send snapshot payloads: see docs/deploy.md", { environment, payload: received.kind });
          return plainError(context, 400, "This address only accepts events with snapshot payloads.");
        }
        const { event, otherVersion, account } = received;
        if (event.environment !== environment) return plainError(context, 400, `This address only accepts ${environment} events.`);
        if (otherVersion !== null) {
          const versions = { expected: API_VERSION, came: otherVersion };
          deps.log.error("the event destination has another API version: see docs/deploy.md", { environment, ...versions });
        }
        if (account !== null && !accountsLogged.has(account)) {
          accountsLogged.add(account);
          deps.log.error("the event is of a connected account, whose objects are not looked up: see docs/deploy.md", {
            environment,
            account,
          });
        }
        await receiveProcessorEvents(deps, [event]);
        return context.json({ received: true });
      },
    );
    app.all(path, methodNotAllowed("POST"));
  }
  return app;
}
