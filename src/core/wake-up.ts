/** Wake-up calls: each names a row that is due. The row is the truth, so losing a call costs a minute and nothing else. */
export interface WakeUp {
  /** Calls after `wait` milliseconds, or as late as the queue can: a call that comes early does no harm. Never fails. */
  send(ids: readonly string[], wait?: number): Promise<void>;
}
