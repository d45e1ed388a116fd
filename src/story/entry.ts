export const entryKinds = [
  "request",
  "payment_link",
  "movement",
  "subscription",
  "bank_payment",
  "bank_notification",
  "processor_event",
  "look_up",
  "event",
  "delivery",
  "partner",
  "act",
] as const;

/** One thing that happened, that is so now, or that is due. */
export interface StoryEntry {
  /** Unix milliseconds. */
  readonly at: number;
  readonly kind: (typeof entryKinds)[number];
  readonly id: string;
  readonly says: string;
  /** The ids of what it is about, at the processor and at the bank. */
  readonly objects: readonly string[];
  /** What is wrong here. Null where all is well. */
  readonly wrong: string | null;
  /** The operators' call that helps. */
  readonly help: Help | null;
}

/** A call, by the words of its command, with all that it takes. */
export interface Help {
  readonly command: string;
  readonly given: Readonly<Record<string, string>>;
}

/** Of an entry where all is well. */
export const NOTHING_WRONG = { wrong: null, help: null } as const;

export function helpByCall(command: string, given: Help["given"]): Help {
  return { command, given };
}

/** The ids among some that are known. */
export function idsOf(...ids: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(ids.flatMap((id) => id ?? []))];
}
