/** All tables, one file per module. Only that module reads and writes the tables of its file. */
export * from "./audit.ts";
export * from "./bank.ts";
export * from "./catalogue.ts";
export * from "./idempotency.ts";
export * from "./ledger.ts";
export * from "./links.ts";
export * from "./partners.ts";
export * from "./promotions.ts";
export * from "./retention.ts";
export * from "./subscriptions.ts";
export * from "./webhooks.ts";
