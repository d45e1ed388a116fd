import type { RowOf } from "../../api/paths.ts";
import { Money } from "../../shared/money.tsx";
import { moneyText } from "../../shared/money-text.ts";
import { texts } from "../../texts/index.ts";

const { links: words } = texts;

/** What was sold through a link, by currency: what is left of it, and how many orders it was. */
export function Sold({ sold }: Pick<RowOf<"/partner/links">, "sold">) {
  if (sold === null) return <span className="dimmed">{words.notCounted}</span>;
  if (sold.length === 0) return <span className="dimmed">{words.notSold}</span>;
  return sold.map(({ currency, orders, net, pending }) => (
    <div key={currency}>
      <small className="dimmed">{words.soldCount(orders)}</small> <Money amount={net} currency={currency} />
      {pending !== 0 && (
        <div className="dimmed">
          <small>{texts.sales.pending(moneyText(pending, currency))}</small>
        </div>
      )}
    </div>
  ));
}
