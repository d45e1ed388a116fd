import * as z from "zod";
import type { OperationError } from "../../../src/core/errors.ts";
import type { KeyLocation } from "../../../src/http/authenticate.ts";
import { faultOf } from "../../../src/http/shape.ts";
import type { Permission } from "../../../src/partners/permissions.ts";

/** A sample error of each kind; the compiler checks that the table is complete. */
export type Samples = { readonly [K in OperationError["kind"]]: Extract<OperationError, { kind: K }> };

interface About {
  readonly key: KeyLocation;
  readonly permission: Permission | null;
  readonly input: z.ZodType;
  readonly example: { readonly request: unknown };
}

/** Errors for the examples of an operation's description. */
export function samplesFor({ key, permission, input, example }: About): Samples {
  const product = productIn(example.request);
  const upstream = permission === "bank_payment" ? "bank" : "processor";
  return {
    invalid_input: invalidInput(input),
    key_missing: { kind: "key_missing", location: key === "body" ? "body" : "header", isBearer: false, isElsewhere: false },
    key_invalid: { kind: "key_invalid" },
    query_key_missing: { kind: "query_key_missing", isBearer: false },
    permission_missing: { kind: "permission_missing", permission: permission ?? "", holder: "key" },
    environment_missing: { kind: "environment_missing", environment: "live" },
    product_not_found: { kind: "product_not_found", ...product },
    product_of_another_partner: { kind: "product_of_another_partner", ...product },
    product_not_approved: { kind: "product_not_approved", ...product },
    product_damaged: { kind: "product_damaged", ...product },
    mixed_environment: { kind: "mixed_environment", ...product },
    code_already_exists: { kind: "code_already_exists", code: "SPRING-26" },
    subscription_not_known: { kind: "subscription_not_known" },
    subscription_of_another_partner: { kind: "subscription_of_another_partner" },
    subscription_not_active: { kind: "subscription_not_active" },
    subscription_not_changeable: { kind: "subscription_not_changeable", message: "it is managed by a schedule." },
    payment_not_found: { kind: "payment_not_found" },
    key_reused_with_different_payload: { kind: "key_reused_with_different_payload" },
    operation_in_progress: { kind: "operation_in_progress" },
    previous_attempt_failed: { kind: "previous_attempt_failed" },
    short_link_unavailable: { kind: "short_link_unavailable" },
    upstream_timeout: { kind: "upstream_timeout", upstream },
    upstream_failed: { kind: "upstream_failed", upstream, code: null, message: "it is out of order. Try again later." },
    internal: { kind: "internal" },
  };
}

/** The operation's own validation error for a body with a wrong type in the first field. */
function invalidInput(input: z.ZodType): Samples["invalid_input"] {
  const [field] = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
  const checked = field === undefined ? null : input.safeParse({ [field]: true });
  return checked?.success === false ? faultOf(checked.error.issues[0]) : { kind: "invalid_input", message: "the body is not valid JSON" };
}

const productsSchema = z.union([
  z.object({ items: z.array(z.record(z.string(), z.unknown())).min(1) }).transform(({ items }) => {
    const name = Object.keys(items[0] ?? {}).find((field) => field.endsWith("product_id")) ?? "";
    return { productId: String(items.at(-1)?.[name]), field: `items[${items.length - 1}].${name}` };
  }),
  z.object({ stripe_product_id: z.string() }).transform((body) => ({ productId: body.stripe_product_id, field: "stripe_product_id" })),
  z.object({ stripe_product_ids: z.array(z.string()).min(1) }).transform(({ stripe_product_ids: ids }) => {
    return { productId: ids.at(-1) ?? "", field: `stripe_product_ids[${ids.length - 1}]` };
  }),
]);

/** The last product of a request. */
function productIn(request: unknown): { productId: string; field: string } {
  return productsSchema.safeParse(request).data ?? { productId: "", field: "" };
}
