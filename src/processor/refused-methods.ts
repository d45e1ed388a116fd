import Stripe from "stripe";

/**
 * The payment methods for which the processor refuses a link; empty for any other failure. It may refuse one because of
 * the mode, the account, the country, the currency, or because it does not know it. None of these sentences is
 * documented, and `param` may be missing. So this looks, in this order, for: a refusal of everything sent; the position
 * in `param` or in the message; a method in quotation marks; a method as a word of the message. Only a method that we
 * sent counts. A refusal about payment methods that names none counts for all of them.
 */
export function refusedMethods(thrown: unknown, sent: readonly string[]): readonly string[] {
  if (!(thrown instanceof Stripe.errors.StripeInvalidRequestError)) return [];
  const { message, param = "", code = "" } = thrown;
  const quoted = sent.filter((method) => [`\`${method}\``, `'${method}'`, `"${method}"`].some((name) => message.includes(name)));
  const isAboutMethods =
    param.startsWith(FIELD) || code.startsWith("payment_method_") || /payment[ _]method|\btypes? provided\b/i.test(message);
  if (!isAboutMethods) return quoted;
  if (/^All types provided\b/i.test(message)) return sent;
  const position = /payment_method_types\[(\d+)\]/.exec(`${param} ${message}`)?.[1];
  const indexed = position === undefined ? undefined : sent[Number(position)];
  if (indexed !== undefined) return [indexed];
  if (quoted.length > 0) return quoted;
  // A list of what would be accepted names methods too, and none of them is refused.
  const [complaint = ""] = message.split(/must be one of|supported types are/i);
  const named = sent.filter((method) => complaint.replaceAll("payment link", "").split(NOT_A_NAME).includes(method));
  return named.length > 0 || !isAboutAll(param) ? named : sent;
}

/** A refusal of another field that speaks of payment methods is not one of all of them. */
function isAboutAll(param: string): boolean {
  return param === "" || param === FIELD;
}

const FIELD = "payment_method_types";
const NOT_A_NAME = /[^a-z0-9_]+/;
