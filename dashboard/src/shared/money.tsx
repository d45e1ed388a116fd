import { moneyText } from "./money-text.ts";

interface MoneyProps {
  /** In major units, signed; null while it is unknown. */
  readonly amount: number | null;
  readonly currency: string;
  readonly strong?: boolean;
}

/** An amount with its currency. Digits have one width, so that amounts align in a column. */
export function Money({ amount, currency, strong = false }: MoneyProps) {
  if (amount === null) return <span className="dimmed">–</span>;
  const text = moneyText(amount, currency);
  return (
    <span className="amount">
      {strong ? <b>{text}</b> : text}
      {text.includes(currency) ? null : <small className="dimmed"> {currency}</small>}
    </span>
  );
}
