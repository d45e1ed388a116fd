import { texts } from "../texts/index.ts";
import { Money } from "./money.tsx";

interface PriceProps {
  /** In major units; null while it is not known. */
  readonly amount: number | null;
  readonly currency: string;
  /** The unit of a subscription's period; null for what is paid once. */
  readonly interval: string | null;
  readonly count: number | null;
  readonly strong?: boolean;
}

/** A price, with its period. */
export function Price({ amount, currency, interval, count, strong = false }: PriceProps) {
  return (
    <>
      <Money amount={amount} currency={currency} strong={strong} />
      {interval !== null && (
        <div className="dimmed">
          <small>{texts.products.every(count ?? 1, interval)}</small>
        </div>
      )}
    </>
  );
}
