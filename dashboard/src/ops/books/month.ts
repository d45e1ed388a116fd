/** The month before that of a time, such as 2026-10: the one that is closed. */
export function monthBefore(now: Date): string {
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  return date.toISOString().slice(0, 7);
}

/** A month in the address, if it is one. */
export const monthIn = (text: string | undefined): string | null =>
  text !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? text : null;
