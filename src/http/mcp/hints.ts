import { limits } from "../../core/limits.ts";
/**
 * Hints for agents beside each tool's description: when to use it, its cost, and the source of its arguments. By tool
 * name; a test compares the names with the tools.
 */
export const hints: Readonly<Record<string, string>> = {
  "list-partner-processor-transactions":
    "Use it to answer what was paid, refunded or disputed, or whether an order was paid (client_reference_id). Ruble payments are not in it. Where has_more is true, ask again with created_lte set to the transaction_date of the last one.",
  "sum-partner-processor-transactions":
    "Use it for how much was sold, refunded or disputed in a period, such as last week by currency and product; the list is for single payments. Ruble payments are not in it. Never add up different currencies.",
  "get-partner-processor-payment":
    "Use it for the details of one payment whose payment_intent_id a list or an event has named. For many payments use the list.",
  "list-partner-live-processor-payment-links":
    "Use it to find the live links of products, with ids (processor_product_id) and prices. list-partner-products has every product.",
  "create-partner-processor-cart-payment-link":
    "Use it to sell approved products at prices that the person has named. Creating a link charges no customer: a customer who opens short_url and pays is charged. With live products the money is real, so show products, prices and currency to the person before, and the link afterwards. Product ids come from list-partner-products or from the person; never invent one.",
  "create-partner-bank-cart-payment":
    "Use it only for customers who pay in rubles and need a Russian fiscal receipt. Creating it charges no customer; the customer who pays is charged and gets a receipt under the products' names. The address or phone must be the customer's own. Product numbers and prices come from the person. environment is live unless you set test.",
  "register-partner-notifications-webhook":
    "Use it only where the person asks to change where events go: the new address replaces the old one at once, and the old receiver gets nothing more. Do not repeat the signing_secret that it answers; say where the person finds it.",
  "rotate-partner-webhook-secret": `Use it only where the person asks for it, as after a secret has leaked. The receivers must have the new secret within ${limits.rotation.days} days. A second rotation in that time ends the oldest secret at once. Do not repeat the secret that it answers.`,
  "get-partner-webhook-health": "Use it to answer how soon and how reliably a webhook takes events, and since which day it does not.",
  "list-partner-webhooks": "Use it to answer whether events arrive, and why not: each webhook says what is wrong and what to do.",
  "list-partner-deliveries":
    "Use it to find events that did not arrive (state exhausted or suspended), or the event of a payment. A page may be short: only a null next ends the list.",
  "get-partner-delivery":
    "Use it for one event whose id list-partner-deliveries has named: its message, and what the receiver answered each time.",
  "list-partner-requests":
    "Use it to answer why an order failed, or whether it was made: each entry says what to correct and what a repeat does.",
  "get-partner-request": "Use it for one request whose id (X-Request-Id) the person or list-partner-requests has named.",
  "list-partner-payment-links":
    "Use it to find links of carts and products, also disabled ones, by product or order reference. For what can be sold, use list-partner-products.",
  "get-partner-payment-link": "Use it for what was paid through one link, with refunds and disputes. Never add up different currencies.",
  "list-partner-orders":
    "Use it for who bought what, by customer, reference, product, status or day, cards and rubles alike; count and sums are of the whole selection. It has customers' addresses: show only what the person asks for. A page may be short: only a null next ends the list.",
  "get-partner-order": "Use it for one order whose id list-partner-orders has named: its money movements, its events and its whole story.",
  "list-partner-disputes":
    "Use it for disputes and inquiries: why, how much, and until when evidence can be given. Evidence goes to support, by no tool.",
  "report-partner-sales":
    "Use it for how much was sold, refunded and kept after fees in a period, cards and rubles alike, by day, month, product, link or method. Days are of the partner's time zone, which the answer names. Never add up different currencies.",
  "report-partner-subscriptions":
    "Use it for how many subscriptions there are and what they bring a month. Never add up different currencies.",
  "get-partner-balance": "Use it for what will be paid out: the balance by currency, settled or not yet.",
  "list-partner-statements":
    "Use it for a month's opening, income, fees, payouts and closing, by currency. A closed statement never changes; an open one still does.",
  "get-partner-statement": "Use it for the lines of one statement whose id list-partner-statements has named.",
  "list-partner-products":
    "Use it for what can be sold: the id, price and environment of each product, and why one is not approved. A product in_review or rejected cannot be sold.",
  "list-partner-subscriptions":
    "Use it for who is subscribed to what, by status, or whose next charge failed (past_due). report-partner-subscriptions has the sums.",
  "get-partner-subscription": "Use it for one subscription whose id (sub_…) the person, an order or a list has named.",
  "list-partner-promotion-codes":
    "Use it for which codes there are, what they give, how often they were used, and whether they still work.",
  "list-partner-ruble-payments":
    "Use it for ruble payments and their status at the bank, also those that were not paid. Paid ones are orders, too: list-partner-orders.",
  "list-partner-payouts": "Use it for what was paid out, when and under which bank reference.",
  "promotion-code-create":
    "Use it to give customers a percentage off approved products. Making a code costs nothing; each use lowers what the partner earns, so set max_redemptions or expires_at unless the person wants neither. There is no tool that ends a code: support does.",
};
