import { events } from "../../objects/events/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";

/** The events of all partners. */
export function EventsPage() {
  return (
    <Page title={words.navigation.events} about={words.events.about}>
      <ObjectList of={events} />
    </Page>
  );
}
