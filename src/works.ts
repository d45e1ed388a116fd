import { bankPaymentWork } from "./bank-payments/create-bank-payment.ts";
import type { Tools } from "./deps.ts";
import { type AnyWork, sealWork } from "./idempotency/work.ts";
import { cartLinkWork } from "./links/create-cart-link.ts";
import { productLinkWork } from "./links/create-product-link.ts";
import { registerWebhookWork } from "./notifications/register-webhook.ts";
import { rotateSecretWork } from "./notifications/rotate-secret.ts";
import { promotionCodeWork } from "./promotions/create-promotion-code.ts";

const all: readonly AnyWork<Tools>[] = [
  sealWork(bankPaymentWork),
  sealWork(cartLinkWork),
  sealWork(productLinkWork),
  sealWork(registerWebhookWork),
  sealWork(rotateSecretWork),
  sealWork(promotionCodeWork),
];

/** Every work that a key's Durable Object can do, by the name of its operation. */
export const works: ReadonlyMap<string, AnyWork<Tools>> = new Map(all.map((work) => [work.operation, work]));
