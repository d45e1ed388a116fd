import { movements } from "../../objects/movements/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";

/** The payments of all partners. */
export function PaymentsPage() {
  return (
    <Page title={words.navigation.payments} about={words.payments.about}>
      <ObjectList of={movements} />
    </Page>
  );
}
