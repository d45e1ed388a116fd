import * as z from "zod";

/**
 * Reports an unexpected field in an answer of the processor: the kind of object, and the path of the field. No values.
 */
export type ReportMisfit = (object: string, path: string) => void;

const reference = z.union([z.string(), z.looseObject({ id: z.string() })]).nullable();
const metadata = z.record(z.string(), z.string());
const seconds = z.int();

const balanceTransaction = z.looseObject({
  id: z.string(),
  object: z.literal("balance_transaction"),
  type: z.string(),
  amount: z.int(),
  fee: z.int(),
  net: z.int(),
  currency: z.string().length(3),
  created: seconds,
  available_on: seconds,
  description: z.string().nullable(),
  reporting_category: z.string(),
});

/** The fields of the processor's objects that this service reads, by the kind of object. */
const SHAPES: Readonly<Record<string, z.ZodType>> = {
  balance_transaction: balanceTransaction,
  charge: z.looseObject({
    id: z.string(),
    status: z.enum(["succeeded", "pending", "failed"]),
    created: seconds,
    description: z.string().nullable(),
    payment_intent: reference,
    balance_transaction: reference,
    failure_balance_transaction: reference,
  }),
  "checkout.session": z.looseObject({
    id: z.string(),
    payment_intent: reference,
    subscription: reference,
    invoice: reference,
    payment_link: reference,
    client_reference_id: z.string().nullable(),
  }),
  dispute: z.looseObject({
    id: z.string(),
    status: z.string(),
    reason: z.string(),
    created: seconds,
    evidence_details: z.looseObject({ due_by: seconds.nullable() }),
    charge: reference,
    payment_intent: reference,
    balance_transactions: z.array(balanceTransaction),
  }),
  invoice: z.looseObject({
    id: z.string(),
    billing_reason: z.string().nullable(),
    amount_paid: z.int(),
    parent: z
      .looseObject({ subscription_details: z.looseObject({ subscription: reference, metadata: metadata.nullable() }).nullable() })
      .nullable(),
  }),
  payment_intent: z.looseObject({ id: z.string(), latest_charge: reference, metadata }),
  refund: z.looseObject({
    id: z.string(),
    status: z.string().nullable(),
    amount: z.int(),
    currency: z.string().length(3),
    created: seconds,
    charge: reference,
    payment_intent: reference,
    balance_transaction: reference,
    failure_balance_transaction: reference.optional(),
  }),
  subscription: z.looseObject({
    id: z.string(),
    status: z.string(),
    cancel_at_period_end: z.boolean(),
    cancel_at: seconds.nullable(),
    created: seconds,
    ended_at: seconds.nullable(),
    metadata,
    currency: z.string().length(3),
    items: z.looseObject({
      data: z.array(
        z.looseObject({
          current_period_end: seconds,
          price: z.looseObject({ unit_amount: z.int().nullable(), currency: z.string().length(3) }),
        }),
      ),
    }),
  }),
};

const listSchema = z.looseObject({ object: z.literal("list"), data: z.array(z.unknown()) });
const objectSchema = z.looseObject({ object: z.string() });

/**
 * Reports the parts of an answer that do not fit the expected shape, and returns the answer unchanged: the understood
 * parts are used, and an unusable part fails where it is needed. A list is checked entry by entry.
 */
export function reportMisfits(report: ReportMisfit, answer: unknown): void {
  const page = listSchema.safeParse(answer);
  if (page.success) {
    for (const entry of page.data.data) reportMisfits(report, entry);
    return;
  }
  const found = objectSchema.safeParse(answer);
  const kind = found.success ? found.data.object : "";
  const shape = SHAPES[kind];
  if (shape === undefined) return;
  for (const issue of shape.safeParse(answer).error?.issues ?? []) report(kind, pathOf(issue.path));
}

/** The path of a field without list positions and metadata keys, so that the number of paths is limited. */
function pathOf(path: readonly PropertyKey[]): string {
  const names = path.map((part) => (typeof part === "number" ? "[]" : String(part)));
  const data = names.indexOf("metadata");
  return (data === -1 ? names : names.slice(0, data + 1)).join(".");
}
