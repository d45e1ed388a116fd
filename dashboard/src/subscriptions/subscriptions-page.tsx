import { ObjectList } from "../objects/object-list.tsx";
import { subscriptions } from "../objects/subscriptions/list.tsx";
import { Page } from "../shared/page.tsx";
import { texts } from "../texts/index.ts";

/** The subscriptions of an environment. */
export function SubscriptionsPage() {
  return (
    <Page title={texts.subscriptions.title} about={texts.subscriptions.about}>
      <ObjectList of={subscriptions} />
    </Page>
  );
}
