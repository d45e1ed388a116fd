import { Page } from "../../shared/page.tsx";
import { words } from "../texts.ts";
import { EventsList } from "./events-list.tsx";

/** The events of all partners. */
export function EventsPage() {
  return (
    <Page title={words.navigation.events} about={words.events.about}>
      <EventsList />
    </Page>
  );
}
