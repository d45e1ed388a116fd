import { disputes } from "../../objects/disputes/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";

/** The disputes of all partners. */
export function DisputesPage() {
  return (
    <Page title={words.navigation.disputes} about={words.disputes.about}>
      <ObjectList of={disputes} />
    </Page>
  );
}
