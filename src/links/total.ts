import { rejectInput } from "../core/errors.ts";
import { limits } from "../core/limits.ts";

/**
 * Checks that the processor can charge the total of a link, for one payment or one period. Price and quantity may each
 * be valid while their product is too large.
 * @param items amounts in minor units. @param field the path in the error.
 * @throws ServiceFailure `invalid_input`, with the total and the processor's limit.
 */
export function checkTotal(
  items: readonly { readonly unitAmount: number; readonly quantity: number }[],
  currency: string,
  field: string,
): void {
  const total = items.reduce((sum, { unitAmount, quantity }) => sum + BigInt(unitAmount) * BigInt(quantity), 0n);
  const most = limits.processorTotal.minorUnits;
  if (total <= BigInt(most)) return;
  rejectInput(`the total is ${total} minor units of ${currency}; the card processor's maximum is ${most}`, field);
}
