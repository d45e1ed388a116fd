/** A wake-up call: it names a row that is due. The row is the truth, so losing a call costs a minute and nothing else. */
export interface WakeUp {
  send(ids: readonly string[], options?: { readonly delaySeconds: number }): Promise<void>;
}
