import { ObjectList } from "../../objects/object-list.tsx";
import { subscriptions } from "../../objects/subscriptions/list.tsx";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";

/** The subscriptions of all partners. */
export function SubscriptionsPage() {
  return (
    <Page title={words.navigation.subscriptions} about={words.subscriptions.about}>
      <ObjectList of={subscriptions} />
    </Page>
  );
}
