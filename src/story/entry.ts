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

/** A past event, a current state, or a due task. */
export interface StoryEntry {
  /** Unix milliseconds. */
  readonly at: number;
  readonly kind: (typeof entryKinds)[number];
  readonly id: string;
  readonly says: string;
  /** The same in Russian; absent from what only operators see. */
  readonly ru?: Pick<StoryEntry, "says" | "wrong">;
  /** The ids of its objects at the processor and at the bank. */
  readonly objects: readonly string[];
  /** The problem; null if there is none. */
  readonly wrong: string | null;
  /** The operators' call that solves the problem. */
  readonly help: Help | null;
}

/** What an entry says in both languages, and its problem if there is one. */
export const told = (en: string, ru: string, wrong: readonly [en: string, ru: string] | null = null) => ({
  says: en,
  wrong: wrong?.[0] ?? null,
  ru: { says: ru, wrong: wrong?.[1] ?? null },
});

/** An operators' call, by its command words, with its arguments. */
export interface Help {
  readonly command: string;
  readonly given: Readonly<Record<string, string>>;
}

/** For an entry without a problem. */
export const NOTHING_WRONG = { wrong: null, help: null } as const;

export function helpByCall(command: string, given: Help["given"]): Help {
  return { command, given };
}

/** The known ids among some. */
export function idsOf(...ids: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(ids.flatMap((id) => id ?? []))];
}
