/** The share of the events that were delivered, rounded down: 100 % is all of them. */
export function shareOf(delivered: number, events: number): string {
  return events === 0 ? "–" : `${(Math.floor((delivered / events) * 1000) / 10).toFixed(1)} %`;
}
