/** What the quickstart by a generated client needs of the one who runs it. */
export interface Order {
  readonly edge: string;
  readonly key: string;
  readonly receiver: string;
  /** Pays as a customer would, by the short link. */
  readonly pay: (shortUrl: string) => Promise<void>;
  /** Ends when what was paid has arrived in the ledger. */
  readonly settled: () => Promise<void>;
}
