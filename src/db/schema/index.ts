/** Every table, room by room. Only the room that a file is named after reads and writes its tables. */
export * from "./audit.ts";
export * from "./bank.ts";
export * from "./catalogue.ts";
export * from "./idempotency.ts";
export * from "./ledger.ts";
export * from "./links.ts";
export * from "./notifications.ts";
export * from "./partners.ts";
export * from "./promotions.ts";
export * from "./subscriptions.ts";
