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
  // A list of accepted methods follows in the message. These methods were not refused.
  const [complaint = ""] = message.split(/must be one of|supported types are/i);
  const quoted = sent.filter((method) => [`\`${method}\``, `'${method}'`, `"${method}"`].some((name) => complaint.includes(name)));
  const isAboutMethods =
    param.startsWith(FIELD) || code.startsWith("payment_method_") || /payment[ _]method|\btypes? provided\b/i.test(message);
  if (!isAboutMethods) return quoted;
  if (/^All types provided\b/i.test(message)) return sent;
  const position = /payment_method_types\[(\d+)\]/.exec(`${param} ${message}`)?.[1];
  const indexed = position === undefined ? undefined : sent[Number(position)];
  if (indexed !== undefined) return [indexed];
  if (quoted.length > 0) return quoted;
  const words = new Set(complaint.split(NOT_A_NAME));
  const typed = /type provided:\s*([a-z0-9_]+)/.exec(complaint)?.[1] ?? "";
  const named = sent.filter((method) => method === typed || (words.has(method) && !ENGLISH.has(method)));
  return named.length > 0 || !isAboutAll(param) ? named : sent;
}

/** Methods whose names are ordinary words in a sentence about a card link. */
const ENGLISH: ReadonlySet<string> = new Set(["card", "link"]);

/** A refusal of another field that mentions payment methods does not concern all methods. */
function isAboutAll(param: string): boolean {
  return param === "" || param === FIELD;
}

const FIELD = "payment_method_types";
const NOT_A_NAME = /[^a-z0-9_]+/;
