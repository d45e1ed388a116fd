const PARTNER = "partner_id";
const RECORD = "record_id";

/** The metadata that a link gives to every payment that comes of it, so that money finds its partner again. */
export function attributionOf(origin: { readonly partnerId: string; readonly recordId: string }): Record<string, string> {
  return { [PARTNER]: origin.partnerId, [RECORD]: origin.recordId };
}

/** The partner that metadata names, or null where it names none: whose a payment is, is never guessed. */
export function partnerIn(metadata: Readonly<Record<string, string>>): string | null {
  return metadata[PARTNER] ?? null;
}
