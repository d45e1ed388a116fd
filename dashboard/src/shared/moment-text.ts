import { inShownZone } from "./time-zone.ts";

/** A time of the Worker as a text, to the minute, in the shown zone. */
export const momentText = inShownZone({ dateStyle: "medium", timeStyle: "short" });

const MOMENT = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z/g;

/** A sentence of the Worker with its times as pages show them. */
export const withMoments = (sentence: string): string => sentence.replace(MOMENT, momentText);
