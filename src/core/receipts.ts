/**
 * What a line of a fiscal receipt is (tag 1212, the subject of settlement), in the bank's spelling: those that both versions of the
 * format of fiscal data (FFD) have. Goods with a marking code, which only 1.2 has, are not sold here.
 */
export const receiptSubjects = [
  "commodity",
  "excise",
  "job",
  "service",
  "gambling_bet",
  "gambling_prize",
  "lottery",
  "lottery_prize",
  "intellectual_activity",
  "payment",
  "agent_commission",
  "composite",
  "another",
] as const;
export type ReceiptSubject = (typeof receiptSubjects)[number];

/** How a line is settled (tag 1214), in the bank's spelling. */
export const receiptMethods = [
  "full_prepayment",
  "prepayment",
  "advance",
  "full_payment",
  "partial_payment",
  "credit",
  "credit_payment",
] as const;
export type ReceiptMethod = (typeof receiptMethods)[number];

/** The versions of the format of fiscal data that the bank takes. */
export const ffdVersions = ["1.05", "1.2"] as const;

/** What the bank assumes of a line that says nothing. With FFD 1.2 each line must say it. */
export const RECEIPT_DEFAULTS = { subject: "commodity", method: "full_payment", unit: "шт" } as const;

/** The longest name of a unit (tag 2108). */
export const MAX_UNIT_LENGTH = 16;

/** A terminal that leaves its lines to the bank's defaults. */
export const PLAIN_RECEIPT = { ffdVersion: "1.05", subject: null, method: null, unit: RECEIPT_DEFAULTS.unit } as const;
