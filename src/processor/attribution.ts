const PARTNER = "partner_id";
const RECORD = "record_id";
const SINCE = "record_since";

/** Whose request something is made for: the record of its key, and when the work under it was begun. */
interface Origin {
  readonly partnerId: string;
  readonly recordId: string;
  /** Unix milliseconds. A record that has begun anew must not take for its own, or take back, what is of another time. */
  readonly begunAt: number;
}

/**
 * The metadata of everything that we make at the processor. A link hands it on to every payment that comes of it, so
 * that money finds its partner again; and what a lost answer has left there can be found by it.
 */
export function attributionOf({ partnerId, recordId, begunAt }: Origin): Record<string, string> {
  return { [PARTNER]: partnerId, [RECORD]: recordId, [SINCE]: String(begunAt) };
}

/** The partner that metadata names, or null where it names none: whose a payment is, is never guessed. */
export function partnerIn(metadata: Readonly<Record<string, string>>): string | null {
  return metadata[PARTNER] ?? null;
}

/** When the work was begun that something was made in, in Unix milliseconds; null where its metadata does not say. */
export function begunIn(metadata: Readonly<Record<string, string>> | null): number | null {
  const since = Number(metadata?.[SINCE] ?? Number.NaN);
  return Number.isNaN(since) ? null : since;
}

/** Whether metadata carries all of this attribution. */
export function isAttributedTo(metadata: Readonly<Record<string, string>> | null, attribution: Readonly<Record<string, string>>): boolean {
  return Object.entries(attribution).every(([name, value]) => metadata?.[name] === value);
}
