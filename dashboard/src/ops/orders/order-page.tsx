import { OrderDetail } from "../../objects/orders/detail.tsx";
import { PageLink } from "../../shared/page-link.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { Action } from "../calls/action.tsx";
import { useMay } from "../shell/session.ts";
import { words } from "../texts.ts";

const { payments: own } = words;

/** One order, with what operators can do about it. It may be of either environment. */
export function OrderPage() {
  const order = useIdInPath("order");
  const may = useMay();
  return (
    <OrderDetail
      actions={(environment) =>
        order.startsWith("pi_") ? (
          <>
            <Action call="ledger refresh" given={{ environment, id: order }} label={own.refresh} isImmediate />
            {may("admin") && <PageLink to={`/erase?payment=${order}`}>{words.erase.title}</PageLink>}
          </>
        ) : (
          !order.startsWith("cs_") && (
            <Action call="bank-orders refresh" given={{ order }} label={words.rublePayments.refresh} isImmediate />
          )
        )
      }
    >
      {() => undefined}
    </OrderDetail>
  );
}
