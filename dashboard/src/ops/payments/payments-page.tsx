import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";
import { PaymentsList } from "./payments-list.tsx";

/** The payments of all partners. */
export function PaymentsPage() {
  return (
    <Page title={words.navigation.payments} about={words.payments.about}>
      <PaymentsList />
    </Page>
  );
}
