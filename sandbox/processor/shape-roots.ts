/**
 * Where the processor's shapes begin: the type of each call's parameters, and of each kind of object, as
 * `<file>#<type>` of the type declarations of the processor's library. `npm run shapes` extracts them, with all that
 * they refer to, to shapes.json.
 */

export const PARAMETERS = {
  "products.create": "Products#ProductCreateParams",
  "products.update": "Products#ProductUpdateParams",
  "products.retrieve": "Products#ProductRetrieveParams",
  "prices.create": "Prices#PriceCreateParams",
  "prices.retrieve": "Prices#PriceRetrieveParams",
  "payment_links.create": "PaymentLinks#PaymentLinkCreateParams",
  "payment_links.update": "PaymentLinks#PaymentLinkUpdateParams",
  "payment_links.list": "PaymentLinks#PaymentLinkListParams",
  "payment_links.retrieve": "PaymentLinks#PaymentLinkRetrieveParams",
  "payment_links.line_items": "PaymentLinks#PaymentLinkListLineItemsParams",
  "coupons.create": "Coupons#CouponCreateParams",
  "coupons.list": "Coupons#CouponListParams",
  "coupons.retrieve": "Coupons#CouponRetrieveParams",
  "coupons.delete": "Coupons#CouponDeleteParams",
  "promotion_codes.create": "PromotionCodes#PromotionCodeCreateParams",
  "promotion_codes.list": "PromotionCodes#PromotionCodeListParams",
  "promotion_codes.retrieve": "PromotionCodes#PromotionCodeRetrieveParams",
  "promotion_codes.update": "PromotionCodes#PromotionCodeUpdateParams",
  "customers.create": "Customers#CustomerCreateParams",
  "customers.delete": "Customers#CustomerDeleteParams",
  "subscriptions.create": "Subscriptions#SubscriptionCreateParams",
  "subscriptions.cancel": "Subscriptions#SubscriptionCancelParams",
  "subscriptions.list": "Subscriptions#SubscriptionListParams",
  "subscriptions.retrieve": "Subscriptions#SubscriptionRetrieveParams",
  "subscriptions.update": "Subscriptions#SubscriptionUpdateParams",
  "charges.retrieve": "Charges#ChargeRetrieveParams",
  "payment_intents.retrieve": "PaymentIntents#PaymentIntentRetrieveParams",
  "refunds.retrieve": "Refunds#RefundRetrieveParams",
  "disputes.retrieve": "Disputes#DisputeRetrieveParams",
  "invoices.retrieve": "Invoices#InvoiceRetrieveParams",
  "invoice_payments.list": "InvoicePayments#InvoicePaymentListParams",
  "checkout.sessions.list": "Checkout/Sessions#Checkout.SessionListParams",
  "checkout.sessions.retrieve": "Checkout/Sessions#Checkout.SessionRetrieveParams",
  "balance_transactions.list": "BalanceTransactions#BalanceTransactionListParams",
  "balance_transactions.retrieve": "BalanceTransactions#BalanceTransactionRetrieveParams",
  "events.list": "Events#EventListParams",
  "events.retrieve": "Events#EventRetrieveParams",
} as const;

export type CallName = keyof typeof PARAMETERS;

export const OBJECTS = {
  product: "Products#Product",
  price: "Prices#Price",
  payment_link: "PaymentLinks#PaymentLink",
  item: "LineItems#LineItem",
  coupon: "Coupons#Coupon",
  promotion_code: "PromotionCodes#PromotionCode",
  customer: "Customers#Customer",
  subscription: "Subscriptions#Subscription",
  subscription_item: "SubscriptionItems#SubscriptionItem",
  charge: "Charges#Charge",
  payment_intent: "PaymentIntents#PaymentIntent",
  refund: "Refunds#Refund",
  dispute: "Disputes#Dispute",
  invoice: "Invoices#Invoice",
  invoice_payment: "InvoicePayments#InvoicePayment",
  "checkout.session": "Checkout/Sessions#Session",
  balance_transaction: "BalanceTransactions#BalanceTransaction",
  event: "Events#EventBase",
} as const;
