/** What starts processes of its own: whole stacks, and the linters on seeded breaches. */
export const machineTests = ["test/stack/**/*.test.ts", "test/rules/**/*.test.ts"];

/** The tests of the pages' logic, which need no browser. */
export const pageTests = ["test/pages/**/*.test.ts"];

/**
 * The unit tests of the pure rules. They use no binding of the Worker, so in `npm test` the setup empties no store for them, and
 * `npm run mutate`, which runs them some thousand times, has them in Node.js.
 */
export const unitTests = [
  "test/core/*.test.ts",
  "test/views/*.test.ts",
  "test/db/{find-row,partner-data}.test.ts",
  "test/books/period-before.test.ts",
  "test/bank/{fiscal-receipt,init,notification,token}.test.ts",
  "test/bank-payments/{bank-cart,buyer,description,order-id,payable,poll-schedule,record-status,status}.test.ts",
  "test/idempotency/{answer,compensation,explain,key,v1-protocol,v2-protocol}.test.ts",
  "test/ledger/{movements-of,partner-events,sources}.test.ts",
  "test/links/{cart,payment-methods,product-link}.test.ts",
  "test/orders/{items,of-codes}.test.ts",
  "test/processor/{attribution-metadata,find-attributed,misfits}.test.ts",
  "test/promotions/promotion-code.test.ts",
  "test/requests/redact-body.test.ts",
  "test/subscriptions/items.test.ts",
  "test/short-links/{slug,redirect,target,link-settings}.test.ts",
  "test/opens/opened.test.ts",
  "test/webhooks/{endpoint-url,events,schedule,signature,slow-receivers,webhook-health,bank-receipt}.test.ts",
  "test/chats/*.test.ts",
  "test/summaries/*.test.ts",
  "test/catalogue/flags.test.ts",
  "test/story/similar.test.ts",
  "test/http/{csv,wire-fields}.test.ts",
];
