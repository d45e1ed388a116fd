import { movements } from "../objects/movements/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { Page } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";

/** All money movements of an environment. */
export function PaymentsPage() {
  return (
    <Page title={texts.payments.title} about={texts.payments.about}>
      <ObjectList of={movements} />
    </Page>
  );
}
