import { limits } from "../../core/limits.ts";
/**
 * Hints for agents beside each tool's description: when to use it, its cost, and the source of its arguments. By tool
 * name; a test compares the names with the tools.
 */
export const hints: Readonly<Record<string, string>> = {
  "list-partner-processor-transactions":
    "Use it to answer what was paid, refunded or disputed, or whether an order was paid (client_reference_id). It changes nothing and costs nothing. Ruble payments are not in it. Where has_more is true, ask again with created_lte set to the transaction_date of the last one.",
  "sum-partner-processor-transactions":
    "Use it for how much was sold, refunded or disputed in a period, such as last week by currency and product; the list is for single payments. It changes nothing and costs nothing. Ruble payments are not in it. Never add up different currencies.",
  "get-partner-processor-payment":
    "Use it for the details of one payment whose payment_intent_id a list or an event has named. It changes nothing and costs nothing. For many payments use the list.",
  "list-partner-live-processor-payment-links":
    "Use it to find what is sold, with the product ids (processor_product_id) and prices: no other tool lists products. It only has live products with a link; ask the person for the id of any other product, especially in the test environment, and never invent one. It changes nothing and costs nothing.",
  "create-partner-processor-cart-payment-link":
    "Use it to sell approved products at prices that the person has named. Creating a link charges no customer: a customer who opens short_url and pays is charged. With live products the money is real, so show products, prices and currency to the person before, and the link afterwards. Product ids come from list-partner-live-processor-payment-links or from the person.",
  "create-partner-bank-cart-payment":
    "Use it only for customers who pay in rubles and need a Russian fiscal receipt. Creating it charges no customer; the customer who pays is charged and gets a receipt under the products' names. The address or phone must be the customer's own. Product numbers and prices come from the person. environment is live unless you set test.",
  "register-partner-notifications-webhook":
    "Use it only where the person asks to change where events go: the new address replaces the old one at once, and the old receiver gets nothing more. Do not repeat the signing_secret that it answers; say where the person finds it.",
  "rotate-partner-webhook-secret": `Use it only where the person asks for it, as after a secret has leaked. The receivers must have the new secret within ${limits.rotation.days} days. A second rotation in that time ends the oldest secret at once. Do not repeat the secret that it answers.`,
  "list-partner-webhooks":
    "Use it to answer whether events arrive, and why not: each webhook says what is wrong and what to do. It changes nothing and costs nothing.",
  "list-partner-deliveries":
    "Use it to find events that did not arrive (state exhausted or suspended), or the event of a payment. It changes nothing and costs nothing. A page may be short: only a null next ends the list.",
  "get-partner-delivery":
    "Use it for one event whose id list-partner-deliveries has named: its message, and what the receiver answered each time. It changes nothing and costs nothing.",
  "list-partner-requests":
    "Use it to answer why an order failed, or whether it was made: each entry says what to correct and what a repeat does. It changes nothing and costs nothing.",
  "get-partner-request":
    "Use it for one request whose id (X-Request-Id) the person or list-partner-requests has named. It changes nothing and costs nothing.",
  "list-partner-payment-links":
    "Use it to find links of carts and products, also disabled ones, by product or order reference. It changes nothing and costs nothing. For what is sold, use list-partner-live-processor-payment-links.",
  "get-partner-payment-link":
    "Use it for what was paid through one link, with refunds and disputes. It changes nothing and costs nothing. Never add up different currencies.",
  "list-partner-orders":
    "Use it for who bought what, by customer, reference, product, status or day, cards and rubles alike; count and sums are of the whole selection. It changes nothing and costs nothing. It has customers' addresses: show only what the person asks for. A page may be short: only a null next ends the list.",
  "get-partner-order":
    "Use it for one order whose id list-partner-orders has named: its money movements, its events and its whole story. It changes nothing and costs nothing.",
  "report-partner-sales":
    "Use it for how much was sold, refunded and kept after fees in a period, cards and rubles alike, by day, month, product, link or method. It changes nothing and costs nothing. Days are of the partner's time zone, which the answer names. Never add up different currencies.",
  "report-partner-subscriptions":
    "Use it for how many subscriptions there are and what they bring a month. It changes nothing and costs nothing. Never add up different currencies.",
  "get-partner-balance":
    "Use it for what will be paid out: the balance by currency, settled or not yet. It changes nothing and costs nothing.",
  "list-partner-statements":
    "Use it for a month's opening, income, fees, payouts and closing, by currency. It changes nothing and costs nothing. A closed statement never changes; an open one still does.",
  "get-partner-statement":
    "Use it for the lines of one statement whose id list-partner-statements has named. It changes nothing and costs nothing.",
  "list-partner-payouts": "Use it for what was paid out, when and under which bank reference. It changes nothing and costs nothing.",
  "promotion-code-create":
    "Use it to give customers a percentage off approved products. Making a code costs nothing; each use lowers what the partner earns, so set max_redemptions or expires_at unless the person wants neither. There is no tool that ends a code: support does.",
};
