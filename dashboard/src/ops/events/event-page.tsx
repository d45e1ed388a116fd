import { EventDetail } from "../../objects/events/detail.tsx";
import { texts } from "../../texts/index.ts";
import { Action } from "../calls/action.tsx";
import { words } from "../texts.ts";

/** One event, which operators can send again. */
export const EventPage = () => (
  <EventDetail
    back={{ to: "/events", label: texts.webhooks.kinds }}
    actions={(event) => <Action call="deliveries resend" given={{ event }} label={words.events.resend} isImmediate />}
  />
);
