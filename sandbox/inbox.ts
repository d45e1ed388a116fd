import { type Context, Hono } from "hono";
import type { Inbox } from "./state.ts";
import type { World } from "./world.ts";

/** The partner's receiver with this name; created at first use. */
export function inboxOf(world: World, name: string): Inbox {
  const inbox = world.state.inboxes[name] ?? { answer: { status: 200, times: null, delay_ms: 0 }, received: [] };
  world.state.inboxes[name] = inbox;
  return inbox;
}

/** `POST /inbox/<name>`: stores the raw request and returns the configured response. */
export function inboxRoutes(world: World): Hono {
  return new Hono().post("/:name", (context: Context) => take(world, context, context.req.param("name") ?? ""));
}

/** `POST /bot<token>/sendMessage`: a Telegram bot, whose messages are in the inbox `telegram`. */
export function telegramRoutes(world: World): Hono {
  return new Hono().post("/:bot{bot\\d+:[\\w-]+}/sendMessage", (context: Context) => take(world, context, "telegram"));
}

async function take(world: World, context: Context, name: string): Promise<Response> {
  const inbox = inboxOf(world, name);
  const body = await context.req.text();
  const { answer } = inbox;
  const status = answer.status;
  inbox.received.push({ at: world.clock.now(), headers: context.req.header(), body, answered: status });
  if (answer.times !== null) {
    answer.times -= 1;
    if (answer.times <= 0) inbox.answer = { status: 200, times: null, delay_ms: 0 };
  }
  if (answer.delay_ms > 0) await world.wait(answer.delay_ms);
  return new Response([204, 205, 304].includes(status) ? null : "taken", { status });
}
