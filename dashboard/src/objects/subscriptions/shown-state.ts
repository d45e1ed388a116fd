/** What a change of a subscription's end answered. */
export interface Changed {
  readonly isEnding: boolean;
  /** When the subscription ends now, in ISO 8601; null if it goes on. */
  readonly endsAt: string | null;
  /** When it was changed, in ISO 8601. */
  readonly at: string;
}

interface Reported {
  readonly state: string;
  readonly status: string;
  readonly updated_at: string;
  readonly ends_at: string | null;
}

/**
 * The state that the page shows: the list follows when the processor has reported a change; until then the answer to the change counts.
 * `isNews`: the page says so.
 */
export function shownState({ state, status, updated_at, ends_at }: Reported, changed: Changed | null) {
  const isReported = state === "ending";
  const isNews = changed !== null && updated_at <= changed.at && isReported !== changed.isEnding;
  const isEnding = isNews ? changed.isEnding : isReported;
  return { state: isEnding ? "ending" : status, isEnding, endsAt: isNews ? changed.endsAt : ends_at, isNews };
}
