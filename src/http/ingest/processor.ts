import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { receiveProcessorEvent } from "../../ledger/processor-events.ts";
import { verifyProcessorEvent } from "../../processor/events.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../plain.ts";

const MOST_BYTES = 1024 * 1024;

/**
 * The processor's events, one address per environment since each has its own secret. Acknowledged as soon as the
 * event is stored; anything but a 200 makes the processor send it again.
 */
export function processorIngest(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const environment of ["live", "test"] as const) {
    const path = `/ingest/processor/${environment}`;
    app.post(
      path,
      bodyLimit({ maxSize: MOST_BYTES, onError: (context: Context<AppEnv>) => plainError(context, 413, "The event is too large.") }),
      async (context) => {
        const tools = context.get("tools");
        const payload = await context.req.text();
        const signature = context.req.header("Stripe-Signature") ?? "";
        const event = await verifyProcessorEvent(payload, signature, tools.settings.processor.eventSecrets[environment], tools.clock);
        if (event === null) return plainError(context, 400, "The signature does not verify, or is too old.");
        if (event.environment !== environment) return plainError(context, 400, `This address takes ${environment} events only.`);
        await receiveProcessorEvent(tools, event, payload);
        return context.json({ received: true });
      },
    );
    app.all(path, methodNotAllowed("POST"));
  }
  return app;
}
