import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { verifyBankNotification } from "../../bank/notification.ts";
import { receiveBankNotification } from "../../bank-payments/receive-notification.ts";
import type { AppEnv } from "../context.ts";
import { methodNotAllowed, plainError } from "../plain.ts";

/** A receipt of a hundred lines is told with all that stands on it. */
const MOST_BYTES = 1024 * 1024;
const PATH = "/ingest/bank";

/**
 * The bank's notifications, of all terminals: each names its own. Acknowledged, by the two letters that the bank wants
 * and nothing else, once what it told is stored; anything else makes the bank send it again.
 */
export function bankIngest(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.post(
    PATH,
    bodyLimit({ maxSize: MOST_BYTES, onError: (context: Context<AppEnv>) => plainError(context, 413, "The notification is too large.") }),
    async (context) => {
      const tools = context.get("tools");
      const body = new TextDecoder().decode(await context.req.arrayBuffer());
      const notification = await verifyBankNotification(body, tools.settings.bank.terminals);
      if (notification === null) return plainError(context, 400, "This is no notification with a Token of a terminal of ours.");
      await receiveBankNotification(tools, notification);
      return context.text("OK");
    },
  );
  app.all(PATH, methodNotAllowed("POST"));
  return app;
}
