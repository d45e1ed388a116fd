import { type Context, Hono } from "hono";
import { logCall, takeFault } from "../calls.ts";
import type { ProcessorObject } from "../state.ts";
import { cutConnection, getObject, listObjects, UnknownObject, type World } from "../world.ts";
import { expand } from "./expand.ts";
import { missing, ProcessorError } from "./failure.ts";
import { concerns, errorOf } from "./faults.ts";
import { branch, decodeForm, type Form, integer, list, text } from "./form.ts";
import { createPaymentLink, createPrice, listLines } from "./links.ts";
import { createCoupon, createPromotionCode, deleteCoupon, fitsPromotionCode, updatePromotionCode } from "./promotions.ts";
import { updateSubscription } from "./subscription-changes.ts";

interface Call {
  readonly world: World;
  readonly form: Form;
  readonly livemode: boolean;
  readonly id: string;
}

type Answer = object | Promise<object>;

const retrieve =
  (kind: string) =>
  ({ world, id, livemode }: Call) =>
    getObject(world, kind, id, livemode);

const listOf = (kind: string, fits: (object: ProcessorObject, form: Form, world: World) => boolean = () => true) =>
  function page({ world, form, livemode }: Call) {
    const limit = Math.min(integer(form, "limit") ?? 10, 100);
    const all = listObjects(world, kind).filter(
      (object) => object.livemode === livemode && inPeriod(object, form) && fits(object, form, world),
    );
    const after = text(form, "starting_after");
    const rest = after === null ? all : all.slice(all.findIndex(({ id }) => id === after) + 1);
    return { object: "list", url: `/v1/${kind}s`, has_more: rest.length > limit, data: rest.slice(0, limit) };
  };

const inPeriod = (object: ProcessorObject, form: Form) => {
  const created = branch(form, "created");
  return object.created >= (integer(created, "gte") ?? 0) && object.created <= (integer(created, "lte") ?? Number.MAX_SAFE_INTEGER);
};

/** Filters by form fields that have the same name in the object. */
const same =
  (...fields: string[]) =>
  (object: ProcessorObject, form: Form) =>
    fields.every((field) => text(form, field) === null || object[field] === form[field]);

/** The processor's calls, by method and path. Faults refer to a call by its name. */
const CALLS: readonly [method: string, path: string, name: string, answer: (call: Call) => Answer][] = [
  ["POST", "/prices", "prices.create", ({ world, form, livemode }) => createPrice(world, form, livemode)],
  ["GET", "/prices/:id", "prices.retrieve", retrieve("price")],
  ["POST", "/payment_links", "payment_links.create", ({ world, form, livemode }) => createPaymentLink(world, form, livemode)],
  ["GET", "/payment_links", "payment_links.list", listOf("payment_link")],
  ["GET", "/payment_links/:id", "payment_links.retrieve", retrieve("payment_link")],
  [
    "GET",
    "/payment_links/:id/line_items",
    "payment_links.line_items",
    ({ world, form, id, livemode }) => listLines(world, id, integer(form, "limit") ?? 10, livemode),
  ],
  ["POST", "/coupons", "coupons.create", ({ world, form, livemode }) => createCoupon(world, form, livemode)],
  ["GET", "/coupons", "coupons.list", listOf("coupon")],
  ["GET", "/coupons/:id", "coupons.retrieve", retrieve("coupon")],
  ["DELETE", "/coupons/:id", "coupons.delete", ({ world, id, livemode }) => deleteCoupon(world, id, livemode)],
  ["POST", "/promotion_codes", "promotion_codes.create", ({ world, form, livemode }) => createPromotionCode(world, form, livemode)],
  [
    "GET",
    "/promotion_codes",
    "promotion_codes.list",
    listOf("promotion_code", (code, form, world) => fitsPromotionCode(world, code, form)),
  ],
  ["GET", "/promotion_codes/:id", "promotion_codes.retrieve", retrieve("promotion_code")],
  [
    "POST",
    "/promotion_codes/:id",
    "promotion_codes.update",
    ({ world, form, id, livemode }) => updatePromotionCode(world, id, form, livemode),
  ],
  ["GET", "/subscriptions/:id", "subscriptions.retrieve", retrieve("subscription")],
  ["POST", "/subscriptions/:id", "subscriptions.update", ({ world, form, id, livemode }) => updateSubscription(world, id, form, livemode)],
  ["GET", "/charges/:id", "charges.retrieve", retrieve("charge")],
  ["GET", "/payment_intents/:id", "payment_intents.retrieve", retrieve("payment_intent")],
  ["GET", "/refunds/:id", "refunds.retrieve", retrieve("refund")],
  ["GET", "/disputes/:id", "disputes.retrieve", retrieve("dispute")],
  ["GET", "/invoices/:id", "invoices.retrieve", retrieve("invoice")],
  [
    "GET",
    "/checkout/sessions",
    "checkout.sessions.list",
    listOf("checkout.session", same("payment_intent", "subscription", "payment_link")),
  ],
  ["GET", "/checkout/sessions/:id", "checkout.sessions.retrieve", retrieve("checkout.session")],
  ["GET", "/balance_transactions", "balance_transactions.list", listOf("balance_transaction", same("source", "type"))],
  ["GET", "/balance_transactions/:id", "balance_transactions.retrieve", retrieve("balance_transaction")],
  ["GET", "/invoice_payments", "invoice_payments.list", listOf("invoice_payment", byPayment)],
  ["GET", "/events", "events.list", listOf("event", ofTypes)],
  ["GET", "/events/:id", "events.retrieve", retrieve("event")],
];

function ofTypes(event: ProcessorObject, form: Form): boolean {
  const wanted = list(form, "types");
  return wanted.length === 0 || wanted.includes(String(event.type));
}

function byPayment(object: ProcessorObject, form: Form): boolean {
  const wanted = text(branch(form, "payment"), "payment_intent");
  return wanted === null || (object.payment as { payment_intent?: string }).payment_intent === wanted;
}

/** The names that faults can be set for. */
export const callNames: readonly string[] = CALLS.map(([, , name]) => name);

/** `/v1/…`: the processor's API, as its official client uses it. */
export function processorApi(world: World): Hono {
  const app = new Hono();
  const underWay = new Set<string>();
  for (const [method, path, name, answer] of CALLS) {
    app.on(method, path, (context) => serve(world, underWay, name, answer, context));
  }
  app.all("*", (context) => {
    const url = `${context.req.method}: ${context.req.path}`;
    return serve(world, underWay, "unknown", () => Promise.reject(missing(`Unrecognized request URL (${url}).`)), context);
  });
  return app;
}

async function serve(
  world: World,
  underWay: Set<string>,
  name: string,
  answer: (call: Call) => Answer,
  context: Context,
): Promise<Response> {
  const isGet = context.req.method === "GET";
  const raw = isGet ? new URL(context.req.url).search.slice(1) : new TextDecoder().decode(await context.req.arrayBuffer());
  const form = decodeForm(raw);
  const key = isGet ? null : (context.req.header("Idempotency-Key") ?? null);
  const { method, path } = context.req;
  const request = logCall(world, { target: "processor", method, path, idempotency_key: key, body: raw });

  const apiKey = /^Bearer (sk_(live|test)_\w+)$/.exec(context.req.header("Authorization") ?? "");
  const livemode = apiKey?.[2] === "live";
  const keyed = key === null ? null : { scope: `${livemode ? "live" : "test"} ${key}`, parameters: `${context.req.path} ${raw}` };
  let holdsKey = false;
  try {
    if (apiKey === null) throw new ProcessorError(401, { type: "invalid_request_error", message: "Invalid API Key provided." });
    const fault = takeFault(world, `processor ${name}`, (candidate) => concerns(candidate, form));
    if (fault?.kind === "reset") return cutConnection();
    const error = fault && errorOf(fault, form);
    if (error !== undefined) {
      if (keyed !== null && fault?.stored === true) remember(keyed, error.status, JSON.stringify(error.body));
      throw error;
    }

    const stored = keyed === null ? undefined : replay(world, underWay, keyed);
    if (keyed !== null) {
      underWay.add(keyed.scope);
      holdsKey = true;
    }
    const body = stored?.body ?? (await carryOut());
    if (fault?.kind === "reset_after") return cutConnection();
    if (fault?.kind === "timeout") await world.wait(fault.ms ?? 30_000);
    return respond(request, stored?.status ?? 200, body, stored === undefined ? {} : { "Idempotent-Replayed": "true" });
  } catch (thrown) {
    const error = thrown instanceof UnknownObject ? missing(thrown.message) : thrown;
    if (!(error instanceof ProcessorError)) throw thrown;
    return respond(request, error.status, JSON.stringify(error.body), error.headers);
  } finally {
    if (keyed !== null && holdsKey) underWay.delete(keyed.scope);
  }

  async function carryOut(): Promise<string> {
    const result = await answer({ world, form, livemode, id: context.req.param("id") ?? "" });
    const body = JSON.stringify(expand(world, result, list(form, "expand").map(String)));
    if (keyed !== null) remember(keyed, 200, body);
    return body;
  }

  function remember({ scope, parameters }: { scope: string; parameters: string }, status: number, body: string): void {
    world.state.keys[scope] = { parameters, status, body, at: world.clock.now() };
  }
}

const KEY_LIFE = 24 * 3600 * 1000;

/** The stored response of an idempotency key, if any. @throws for other parameters, or while the key is in use. */
function replay(world: World, underWay: ReadonlySet<string>, { scope, parameters }: { scope: string; parameters: string }) {
  const found = world.state.keys[scope];
  const stored = found !== undefined && world.clock.now() - found.at < KEY_LIFE ? found : undefined;
  if (stored !== undefined && stored.parameters !== parameters) {
    const message = "Keys for idempotent requests can only be used with the same parameters they were first used with.";
    throw new ProcessorError(400, { type: "idempotency_error", message });
  }
  if (underWay.has(scope)) {
    const message = "There is currently another in-progress request using this Idempotency Key.";
    throw new ProcessorError(409, { type: "idempotency_error", code: "idempotency_key_in_use", message });
  }
  return stored;
}

function respond(
  request: { status: number | null },
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  request.status = status;
  return new Response(body, {
    status,
    headers: { "Content-Type": "application/json", "Request-Id": `req_${crypto.randomUUID().slice(0, 14)}`, ...headers },
  });
}
