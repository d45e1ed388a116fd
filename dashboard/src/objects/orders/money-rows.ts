import type { AnswerOf } from "../../api/paths.ts";
import { texts } from "../../texts/index.ts";
import { kindOf } from "../movements/words.ts";

/** A movement of an order's money, of the card processor or of the ruble bank. Amounts in major units. */
interface MoneyRow {
  readonly id: string;
  readonly kind: string;
  /** Null where the bank has none. */
  readonly status: string | null;
  readonly amount: number;
  readonly fee: number | null;
  readonly net: number | null;
  readonly currency: string;
  readonly date: string;
}

type Order = Pick<AnswerOf<"/partner/orders/{order}">, "movements" | "bank_movements">;

/** What moved an order's money, oldest first. */
export function moneyRows({ movements, bank_movements: ofBank }: Order): readonly MoneyRow[] {
  return [
    ...movements.map((row) => ({
      id: row.id,
      kind: kindOf(row),
      status: row.status,
      amount: row.amount,
      fee: row.fee,
      net: row.net_amount,
      currency: row.currency,
      date: row.transaction_date,
    })),
    ...ofBank.map(({ type, amount, transaction_date }, index) => ({
      id: `${index} ${type}`,
      kind: texts.movement[type] ?? type,
      status: null,
      amount,
      fee: null,
      net: null,
      currency: "RUB",
      date: transaction_date,
    })),
  ];
}
