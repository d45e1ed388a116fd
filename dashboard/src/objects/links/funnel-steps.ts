/** What of a funnel's answer is shown. */
interface Counts {
  readonly opened: number | null;
  readonly begun: number | null;
  readonly is_begun_complete: boolean;
  /** Null where the person may not see it. */
  readonly paid: number | null;
}

export interface FunnelStep {
  readonly name: "opened" | "begun" | "paid";
  /** Null where it is not known. */
  readonly count: number | null;
  /** Whether it was more often than that. */
  readonly isMore: boolean;
  /** The length of its bar, in per cent of the longest. */
  readonly share: number;
}

/** The steps of a funnel, first to last. One that this service does not count, or does not show, is left out. */
export function funnelSteps({ opened, begun, is_begun_complete, paid }: Counts): FunnelStep[] {
  const most = Math.max(opened ?? 0, begun ?? 0, paid ?? 0);
  const step = (name: FunnelStep["name"], count: number | null, isMore = false): FunnelStep => ({
    name,
    count,
    isMore,
    share: most === 0 ? 0 : ((count ?? 0) / most) * 100,
  });
  return [
    ...(opened === null ? [] : [step("opened", opened)]),
    step("begun", begun, !is_begun_complete),
    ...(paid === null ? [] : [step("paid", paid)]),
  ];
}
