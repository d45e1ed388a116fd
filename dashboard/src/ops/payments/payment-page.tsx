import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { PaymentDetail } from "../../objects/movements/detail.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { Action } from "../calls/action.tsx";
import { words } from "../texts.ts";

const { payments: own } = words;

/** One payment, with what operators can do about it. It may be of either environment. */
export function PaymentPage() {
  const payment = useIdInPath("payment");
  return (
    <PaymentDetail
      actions={(environment) => (
        <>
          <Action call="ledger refresh" given={{ environment, id: payment }} label={own.refresh} isImmediate />
          <Anchor size="sm" renderRoot={(props) => <Link to="/erase" search={{ payment }} {...props} />}>
            {own.erase}
          </Anchor>
        </>
      )}
    >
      {() => undefined}
    </PaymentDetail>
  );
}
