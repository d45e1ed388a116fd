import { inShownZone } from "./time-zone.ts";

/** A time of the Worker as a text, to the minute, in the shown zone. */
export const momentText = inShownZone({ dateStyle: "medium", timeStyle: "short" });
