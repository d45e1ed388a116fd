const PARTNER = "partner_id";
const RECORD = "record_id";
const SINCE = "record_since";

/** The request for which an object is created: its partner, its idempotency record, and the start of its workflow. */
interface AttributionSource {
  readonly partnerId: string;
  readonly recordId: string;
  /** Unix milliseconds. A record that was restarted must not adopt or compensate objects of an earlier start. */
  readonly begunAt: number;
}

/**
 * The metadata of everything that this service creates at the processor. A link passes it on to every payment made
 * through it, so that the payment can be attributed to its partner. The metadata also finds an object after the answer
 * to its creation call was lost.
 */
export function attributionOf({ partnerId, recordId, begunAt }: AttributionSource): Record<string, string> {
  return { [PARTNER]: partnerId, [RECORD]: recordId, [SINCE]: String(begunAt) };
}

/** The partner that the metadata names, or null if it names none. The owner of a payment is never guessed. */
export function partnerIdIn(metadata: Readonly<Record<string, string>>): string | null {
  return metadata[PARTNER] ?? null;
}

/** The record of the request that created the link, or null if the metadata names none. */
export function recordIdIn(metadata: Readonly<Record<string, string>>): string | null {
  return metadata[RECORD] ?? null;
}

/** Whether one of our links set the metadata, rather than a person who entered only a partner. */
export function isOfLink(metadata: Readonly<Record<string, string>>): boolean {
  return metadata[PARTNER] !== undefined && metadata[RECORD] !== undefined;
}

/** The start time of the workflow that created an object, in Unix milliseconds; null if the metadata has none. */
export function workflowStartIn(metadata: Readonly<Record<string, string>> | null): number | null {
  const since = Number(metadata?.[SINCE] ?? Number.NaN);
  return Number.isNaN(since) ? null : since;
}

/** Whether metadata contains all of this attribution. */
export function isAttributedTo(metadata: Readonly<Record<string, string>> | null, attribution: Readonly<Record<string, string>>): boolean {
  return Object.entries(attribution).every(([name, value]) => metadata?.[name] === value);
}
