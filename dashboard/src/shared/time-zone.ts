import { ownLocale } from "../texts/own-language.ts";

/** The zone of the times that the pages show, and of the dates that people type: the partner's own; for operators UTC. */
let zone = "UTC";

export const shownZone = (): string => zone;

export function noteZone(name: string): void {
  zone = name;
}

/** A formatter of times in the shown zone. Making one is slow, and a page of a list has hundreds of times. */
export function inShownZone(options: Intl.DateTimeFormatOptions): (at: string) => string {
  let made: { readonly zone: string; readonly format: Intl.DateTimeFormat } | null = null;
  return (at) => {
    if (made?.zone !== zone) made = { zone, format: new Intl.DateTimeFormat(ownLocale(), { ...options, timeZone: zone }) };
    return made.format.format(new Date(at));
  };
}
