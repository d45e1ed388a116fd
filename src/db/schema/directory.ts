/**
 * The tables of the directory. What the processor and the bank report is here as long as no partner is known for it; the
 * tables for that are the same as in a cell.
 */
export * from "./audit.ts";
export { bankNotifications } from "./bank.ts";
export * from "./catalogue.ts";
export * from "./erasures.ts";
export * from "./grants.ts";
export * from "./health.ts";
export * from "./ledger.ts";
export * from "./notes.ts";
export * from "./operators.ts";
export * from "./owners.ts";
export * from "./partners.ts";
export * from "./platform.ts";
export * from "./reconciliations.ts";
export * from "./retention.ts";
export * from "./subscriptions.ts";
