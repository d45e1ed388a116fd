import { ObjectList } from "../../objects/object-list.tsx";
import { rublePayments } from "../../objects/ruble-payments/list.tsx";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";

/** The ruble payments of all partners. */
export function RublePaymentsPage() {
  return (
    <Page title={words.navigation.rublePayments} about={words.rublePayments.about}>
      <ObjectList of={rublePayments} />
    </Page>
  );
}
