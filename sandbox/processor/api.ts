import { type Context, Hono } from "hono";
import { logCall, takeFault } from "../calls.ts";
import { cutConnection, UnknownObject, type World } from "../world.ts";
import { CALLS } from "./calls.ts";
import type { Endpoint } from "./endpoints.ts";
import { expand } from "./expand.ts";
import { invalidRequest, missing, ProcessorError } from "./failure.ts";
import { concerns, errorOf } from "./faults.ts";
import { decodeForm, list } from "./form.ts";
import { checkParameters } from "./parameters.ts";
import { publish } from "./publish.ts";
import type { CallName } from "./shape-roots.ts";
import { shapes } from "./shapes.ts";

/** The names that faults can be set for. */
export const callNames: readonly string[] = Object.keys(CALLS);

/** `/v1/…`: the processor's API, as its official client uses it. */
export function processorApi(world: World): Hono {
  const app = new Hono();
  const underWay = new Set<string>();
  for (const [name, endpoint] of Object.entries(CALLS) as [CallName, Endpoint][]) {
    app.on(endpoint.method, endpoint.path, (context) => serve(world, underWay, { name, endpoint }, context));
  }
  app.all("*", (context) => serve(world, underWay, null, context));
  return app;
}

/** The names by which a call's faults are set: a payment link makes its prices, too. */
const namesOf = (name: CallName): readonly CallName[] => (name === "payment_links.create" ? [name, "prices.create"] : [name]);

const MAX_KEY = 255;
const VERSION = /^20[12]\d-(0[1-9]|1[0-2])-([0-2]\d|3[01])(\.[a-z]+)?$/;

async function serve(
  world: World,
  underWay: Set<string>,
  call: { readonly name: CallName; readonly endpoint: Endpoint } | null,
  context: Context,
): Promise<Response> {
  const { method, path } = context.req;
  const isGet = method === "GET";
  const raw = isGet ? new URL(context.req.url).search.slice(1) : new TextDecoder().decode(await context.req.arrayBuffer());
  const form = decodeForm(raw);
  const key = isGet ? null : (context.req.header("Idempotency-Key") ?? null);
  const version = context.req.header("Stripe-Version") ?? shapes.apiVersion;
  const apiKey = /^Bearer ([rs]k_(live|test)_\w+)$/.exec(context.req.header("Authorization") ?? "");
  const livemode = apiKey?.[2] === "live";
  const request = logCall(world, { target: "processor", method, path, idempotency_key: key, body: raw, livemode });
  const shared = { "Stripe-Version": version, ...(key === null ? {} : { "Idempotency-Key": key }) };

  const keyed = key === null ? null : { scope: `${livemode ? "live" : "test"} ${key}`, parameters: `${path} ${raw}` };
  let holdsKey = false;
  try {
    if (apiKey === null) throw new ProcessorError(401, { type: "invalid_request_error", message: "Invalid API Key provided." });
    if (!VERSION.test(version)) throw invalidRequest(`Invalid Stripe API version: ${version}`);
    if (key !== null && key.length > MAX_KEY) {
      throw new ProcessorError(400, { type: "idempotency_error", message: `Idempotency keys can have up to ${MAX_KEY} characters.` });
    }
    if (call === null) throw missing(`Unrecognized request URL (${method}: ${path}).`);
    const [own, ofPart] = namesOf(call.name).map((name) => () => takeFault(world, `processor ${name}`, (one) => concerns(one, form)));
    const fault = own?.() ?? ofPart?.();
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
    const body = stored?.body ?? (await carryOut(call.name, call.endpoint));
    if (fault?.kind === "reset_after") return cutConnection();
    if (fault?.kind === "timeout") await world.wait(fault.ms ?? 30_000);
    return respond(request, stored?.status ?? 200, body, { ...shared, ...(stored === undefined ? {} : { "Idempotent-Replayed": "true" }) });
  } catch (thrown) {
    const error = thrown instanceof UnknownObject ? missing(thrown.message) : thrown;
    if (!(error instanceof ProcessorError)) throw thrown;
    return respond(request, error.status, JSON.stringify(error.body), { ...shared, ...error.headers });
  } finally {
    if (keyed !== null && holdsKey) underWay.delete(keyed.scope);
  }

  async function carryOut(name: CallName, { kind, isList, answer }: Endpoint): Promise<string> {
    checkParameters(name, form);
    const paths = list(form, "expand").map(String);
    // An invalid path is refused before anything is done.
    expand(world, {}, paths, kind, isList === true);
    const result = await answer({ world, form, livemode, id: context.req.param("id") ?? "" });
    const body = JSON.stringify(publish(expand(world, result, paths, kind, isList === true)));
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
    headers: {
      "Content-Type": "application/json",
      "Cache-Control": "no-cache, no-store",
      "Request-Id": `req_${crypto.randomUUID().slice(0, 14)}`,
      ...headers,
    },
  });
}
