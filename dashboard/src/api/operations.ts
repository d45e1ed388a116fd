import { client } from "./client.ts";
import type { paths } from "./schema.d.ts";

/** Where each operation is that a signed-in person can call. The forms show its path in the call as curl. */
export const operationPaths = {
  "payment-link-create": "/webhook/payment-link-create",
  "promotion-code-create": "/webhook/promotion-code-create",
  "create-partner-processor-cart-payment-link": "/create-partner-processor-cart-payment-link",
  "create-partner-bank-cart-payment": "/create-partner-bank-cart-payment",
  "register-partner-notifications-webhook": "/register-partner-notifications-webhook",
  "rotate-partner-webhook-secret": "/rotate-partner-webhook-secret",
  "get-partner-processor-payment": "/get-partner-processor-payment",
} as const satisfies Record<string, keyof paths>;

export type OperationName = keyof typeof operationPaths;

/** The answer of an operation that was carried out. */
export type AnswerOf<Name extends OperationName> = Extract<
  paths[(typeof operationPaths)[Name]]["post"]["responses"][200]["content"]["application/json"],
  { success: true }
>;

/** Carries out an operation for the signed-in person. @throws CallFailure as the operation refuses. */
export async function callOperation<Name extends OperationName>(operation: Name, body: Record<string, unknown>): Promise<AnswerOf<Name>> {
  const { data } = await client.POST("/partner/operations/{operation}", { params: { path: { operation } }, body });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the Worker answers what the description of the operation says
  return data as AnswerOf<Name>;
}
