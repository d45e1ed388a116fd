import { bankPaymentWorkflow } from "../bank-payments/create-bank-payment.ts";
import type { CellDeps } from "../deps.ts";
import { type AnyWorkflow, eraseTypes } from "../idempotency/workflow.ts";
import { cartLinkWorkflow } from "../links/create-cart-link.ts";
import { productLinkWorkflow } from "../links/create-product-link.ts";
import { firstLinkWorkflow } from "../moderation/first-link.ts";
import { promotionCodeWorkflow } from "../promotions/create-promotion-code.ts";
import { registerWebhookWorkflow } from "../webhooks/endpoints/register-webhook.ts";
import { rotateSecretWorkflow } from "../webhooks/endpoints/rotate-secret.ts";

const all: readonly AnyWorkflow<CellDeps>[] = [
  eraseTypes(bankPaymentWorkflow),
  eraseTypes(cartLinkWorkflow),
  eraseTypes(productLinkWorkflow),
  eraseTypes(firstLinkWorkflow),
  eraseTypes(registerWebhookWorkflow),
  eraseTypes(rotateSecretWorkflow),
  eraseTypes(promotionCodeWorkflow),
];

/** All workflows that a key's Durable Object can run, by operation name. */
export const workflows: ReadonlyMap<string, AnyWorkflow<CellDeps>> = new Map(all.map((work) => [work.operation, work]));
