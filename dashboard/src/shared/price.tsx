import { texts } from "../texts/index.ts";
import { Money } from "./money.tsx";

/** A price, as a row has it. */
interface Priced {
  /** In major units; null while it is not known. */
  readonly amount: number | null;
  readonly currency: string | null;
  /** The unit of a subscription's period; null for what is paid once. */
  readonly interval: string | null;
  readonly interval_count: number | null;
}

/** A price, with its period. */
export const Price = ({
  of: { amount, currency, interval, interval_count },
  strong = false,
}: {
  readonly of: Priced;
  readonly strong?: boolean;
}) => (
  <>
    <Money amount={amount} currency={currency ?? ""} strong={strong} />
    {interval !== null && (
      <div className="dimmed">
        <small>{texts.products.every(interval_count ?? 1, interval)}</small>
      </div>
    )}
  </>
);
