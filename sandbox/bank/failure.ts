/** A no as the bank puts it on the wire: HTTP 200, `Success` false and a code of its list. */
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
