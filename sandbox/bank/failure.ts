/** An error in the bank's wire format: HTTP 200, `Success` false and a bank error code. */
export class BankError extends Error {
  override readonly name = "BankError";
  readonly code: string;
  readonly details: string;

  constructor(code: string, message: string, details = "") {
    super(message);
    this.code = code;
    this.details = details;
  }
}
