/** The tables of a cell, which has the data of some partners. */
export * from "./audit.ts";
export * from "./bank.ts";
export * from "./books.ts";
export * from "./disputes.ts";
export * from "./figures.ts";
export * from "./idempotency.ts";
export * from "./ledger.ts";
export * from "./links.ts";
export * from "./moves.ts";
export * from "./opens.ts";
export * from "./orders.ts";
export * from "./promotions.ts";
export * from "./requests.ts";
export * from "./retention.ts";
export * from "./subscriptions.ts";
export * from "./webhooks.ts";
