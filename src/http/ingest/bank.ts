import { Hono } from "hono";
import { verifyBankNotification } from "../../bank/notification.ts";
import { receiveBankNotification } from "../../bank-payments/receive-notification.ts";
import { annotateTrace } from "../../core/trace.ts";
import { bytesOf, limitBodyTo } from "../body.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../error-response.ts";

/** Large enough for a notification with a receipt of a hundred lines. */
const MAX_BYTES = 256 * 1024;
const PATH = "/ingest/bank";

/**
 * The bank's notifications for all terminals; each names its terminal. The response is exactly `OK`, as the bank
 * requires, once the notification is stored. The bank retries after any other response.
 */
export function bankIngest(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.post(
    PATH,
    limitBodyTo(MAX_BYTES, (context) => plainError(context, 413, "The notification is too large.")),
    async (context) => {
      const deps = context.get("deps");
      const body = new TextDecoder().decode(await bytesOf(context.req));
      const notification = await verifyBankNotification(body, deps.settings.bank.terminals);
      if (notification === null) {
        annotateTrace({ outcome: "refused", code: "wrong_token" });
        return plainError(context, 400, "The Token does not match any of our terminals.");
      }
      await receiveBankNotification(deps, notification);
      return context.text("OK");
    },
  );
  app.all(PATH, methodNotAllowed("POST"));
  return app;
}
