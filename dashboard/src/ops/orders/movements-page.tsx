import { movements } from "../../objects/movements/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";

/** The movements of all partners. */
export function MovementsPage() {
  return (
    <Page title={words.navigation.movements} about={words.payments.about}>
      <ObjectList of={movements} />
    </Page>
  );
}
