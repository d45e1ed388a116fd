/** What a change of a subscription's end answered. */
export interface Changed {
  readonly isEnding: boolean;
  /** When it was changed, in ISO 8601. */
  readonly at: string;
}

interface Reported {
  readonly state: string;
  readonly status: string;
  readonly updated_at: string;
}

/**
 * The state that the page shows: the list follows when the processor has reported a change; until then the answer to the change counts.
 * `isNews`: the page says so.
 */
export function shownState({ state, status, updated_at }: Reported, changed: Changed | null) {
  const isReported = state === "ending";
  const isNews = changed !== null && updated_at <= changed.at && isReported !== changed.isEnding;
  const isEnding = isNews ? changed.isEnding : isReported;
  return { state: isEnding ? "ending" : status, isEnding, isNews };
}
