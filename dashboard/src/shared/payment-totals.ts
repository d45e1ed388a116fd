/** A movement of a payment, amounts in major units and signed. */
interface Movement {
  readonly type: string | null;
  readonly status: string;
  readonly amount: number;
  readonly currency: string;
  readonly fee: number | null;
  readonly net_amount: number | null;
}

interface Totals {
  /** The status for the eye: that of the newest movement, unless only a part was refunded. */
  readonly status: string;
  /** Negative, and 0 if nothing was refunded. */
  readonly refunded: number;
  /** Null if the movements have several currencies, or one's is not known yet. */
  readonly fee: number | null;
  /** What is left after fees, refunds and disputes; null as `fee`. */
  readonly net: number | null;
}

/** What a payment comes to, from its movements, oldest first. */
export function totalsOf(movements: readonly Movement[]): Totals {
  const first = movements.find(({ type }) => type === "processor_payment_in") ?? movements[0];
  const status = movements.at(-1)?.status ?? "";
  const isOneCurrency = movements.every(({ currency }) => currency === first?.currency);
  const sum = (of: (movement: Movement) => number | null) =>
    isOneCurrency && movements.every((movement) => of(movement) !== null)
      ? movements.reduce((total, movement) => total + (of(movement) ?? 0), 0)
      : null;
  const refunded = isOneCurrency
    ? movements.reduce((total, { type, amount }) => total + (type?.startsWith("processor_refund") ? amount : 0), 0)
    : 0;
  const isPartly = status === "refunded" && first !== undefined && -refunded < first.amount;
  return { status: isPartly ? "partly_refunded" : status, refunded, fee: sum(({ fee }) => fee), net: sum(({ net_amount }) => net_amount) };
}
