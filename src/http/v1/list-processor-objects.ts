import { createMiddleware } from "hono/factory";
import * as z from "zod";
import { SECOND } from "../../core/clock.ts";
import { environmentSchema } from "../../core/environment.ts";
import { rejectInput } from "../../core/errors.ts";
import { parseTimestamp } from "../../core/iso-timestamp.ts";
import { limits } from "../../core/limits.ts";
import { type FoundPayments, listStripeObjects, type StripeObjects } from "../../ledger/list-stripe-objects.ts";
import { admitRequest } from "../../rate-limits/admission.ts";
import { type AppEnv, ownDeps } from "../context.ts";
import { logUnexpected } from "../error-response.ts";
import { streamOf } from "../json-stream.ts";
import { defineStatusOperation, NO_QUERY } from "./status-operation.ts";

const SUCCESSORS = ["/list-partner-processor-transactions", "/get-partner-processor-payment"];

/** When the operation was deprecated, in Unix milliseconds. Its end is not decided, so there is no Sunset header. */
const DEPRECATED_SINCE = Date.UTC(2026, 10, 21);

const FORMS = "must be Unix milliseconds, a date, or a date and time, for example 2026-11-20 or 2026-11-20 08:30:00";

/** The accepted forms of a bound (interface 3.2). */
const bound = z
  .union([z.int(), z.string()], FORMS)
  .optional()
  .describe("Unix milliseconds; a date, which means the whole day; an ISO 8601 timestamp; or a date and a time separated by a blank, UTC");

/** The bounds are in `created`, or at the top level under the two dotted names (interface 3.1). */
const input = z.object({
  created: z
    .object({ gte: bound, lte: bound }, "must be an object with gte, lte or both")
    .meta({ title: "CreatedFilter" })
    .optional()
    .describe("The period, both ends inclusive; at least one. Also accepted flat, as created.gte and created.lte"),
  "created.gte": bound,
  "created.lte": bound,
});

/** The field name of each type of object in a record (interface 3.4). */
const KEYS: Readonly<Record<string, string>> = {
  invoice: "invoice",
  charge: "charge_details",
  payment_intent: "payment_intent",
  "checkout.session": "checkout_session",
  subscription: "subscription_data",
  balance_transaction: "balance_transaction",
};

/** Adds headers to every response: the deprecation date and the successors (RFC 9745, RFC 8288). */
const deprecated = createMiddleware<AppEnv>(async (context, next) => {
  context.header("Deprecation", `@${DEPRECATED_SINCE / SECOND}`);
  const { apiOrigin } = context.get("deps").settings;
  context.header("Link", SUCCESSORS.map((path) => `<${apiOrigin}${path}>; rel="successor-version"`).join(", "));
  await next();
});

const object = z.record(z.string(), z.unknown());

const output = z.object({
  success: z.literal(true),
  data: z
    .array(
      z
        .object({
          invoice: object.optional(),
          charge_details: object.optional(),
          payment_intent: object.optional(),
          checkout_session: object.optional(),
          subscription_data: object.optional(),
          balance_transaction: object.optional(),
          environment: environmentSchema,
        })
        .meta({ title: "StripeObjects" }),
    )
    .max(limits.paymentObjects.records)
    .describe("The processor's own objects of each payment, newest first"),
  count: z.int(),
});

const PERMISSION = "payment_read";
/** This many payments count as one more query. */
const PAYMENTS_PER_QUERY = 10;

/** Operation 3, deprecated. */
export const listProcessorObjects = defineStatusOperation({
  name: "get-processor-objects",
  title: "Get a period's payments",
  method: null,
  summary: "Get the processor's objects of a period's payments",
  description: `Deprecated: use list-partner-processor-transactions and get-partner-processor-payment, which need the permission balance_view. The newest ${limits.paymentObjects.records} payments of the period, live and test.`,
  deprecated: true,
  kind: "read",
  permission: PERMISSION,
  key: "body",
  query: NO_QUERY,
  bodyType: "application/json",
  input,
  output,
  failures: ["invalid_input", "key_missing", "key_invalid", "permission_missing", "internal"],
  example: {
    query: {},
    request: { created: { gte: "2026-11-01", lte: "2026-11-30 12:00:00" } },
    response: {
      success: true,
      data: [{ payment_intent: { id: "pi_3PqLk2", object: "payment_intent", amount: 7700, currency: "usd" }, environment: "live" }],
      count: 1,
    } satisfies z.infer<typeof output>,
  },
  before: deprecated,
  async handle(context, body) {
    const { created, "created.gte": gte, "created.lte": lte } = body;
    for (const [nested, dotted, name] of [
      [created?.gte, gte, "created.gte"],
      [created?.lte, lte, "created.lte"],
    ] as const)
      if (nested != null && dotted != null && nested !== dotted) rejectInput(`${name}: is given twice, with two values`, name);
    const from = readBound(created?.gte ?? gte, "start", "created.gte");
    const to = readBound(created?.lte ?? lte, "end", "created.lte");
    if (from === undefined && to === undefined) rejectInput("give created.gte, created.lte or both", "created");
    const found = await listStripeObjects(ownDeps(context), context.get("caller"), { from, to });
    // Each payment's objects are read from R2.
    const weight = Math.floor(found.count / PAYMENTS_PER_QUERY);
    const { partnerId } = context.get("caller");
    await admitRequest(context.get("deps").rateLimits, { partnerId, kind: "read", permission: PERMISSION, environment: "any" }, weight);
    const stream = streamOf(bodyOf(found), (thrown) => logUnexpected(thrown, context));
    return context.body(stream, 200, { "Content-Type": "application/json" });
  },
});

/** A bound in Unix milliseconds. An integer is used unchanged; a blank between date and time is read as `T`, in UTC. */
function readBound(value: string | number | undefined, edge: "start" | "end", field: string): number | undefined {
  if (value === undefined) return undefined;
  const timestamp = typeof value === "number" ? value : parseTimestamp(value.replace(/^(\d{4}-\d{2}-\d{2}) (?=\d)/, "$1T"), edge);
  return timestamp ?? rejectInput(`${field}: ${FORMS}`, field);
}

/** Streams the body. Stored JSON text is sent unchanged, so that 1000 records cost no parsing. */
async function* bodyOf({ count, records }: FoundPayments): AsyncGenerator<string, undefined> {
  yield '{"success":true,"data":[';
  let separator = "";
  for await (const record of records) {
    yield separator + recordOf(record);
    separator = ",";
  }
  yield `],"count":${count}}`;
  return undefined;
}

function recordOf({ environment, objects }: StripeObjects): string {
  const fields = objects.flatMap(({ type, data }) => (KEYS[type] === undefined ? [] : [`"${KEYS[type]}":${data},`]));
  return `{${fields.join("")}"environment":"${environment}"}`;
}
