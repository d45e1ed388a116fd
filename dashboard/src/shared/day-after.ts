const DAY = 24 * 60 * 60_000;

/** The day after a date (`2026-11-30`), where a call takes the first moment that no longer counts. */
export function dayAfter(date: string | undefined): string | undefined {
  const start = date === undefined ? Number.NaN : Date.parse(date);
  return Number.isNaN(start) ? date : new Date(start + DAY).toISOString().slice(0, 10);
}
