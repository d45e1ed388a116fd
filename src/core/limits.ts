/**
 * Every limit that partners meet. Schemas, checks and the API description read these values, and tests hold
 * docs/limits.md and docs/interface.md to them.
 */
export const limits = {
  /** The body of an operation: its bytes, and its nesting depth. The deepest documented body nests three. */
  body: { bytes: 64 * 1024, depth: 16 },
  url: { characters: 2048 },
  /** Ids of the processor, without the prefix. */
  processorId: { characters: 200 },
  paymentIntentId: { characters: 250 },
  clientToken: { characters: 255 },
  idempotencyKey: { characters: 128 },
  paymentMethods: { count: 50 },
  cart: { items: 20, minUnitAmount: 50, maxUnitAmount: 99_999_999, quantity: 999 },
  /**
   * The processor's maximum for one payment: eight digits in every currency of links (its page "Supported currencies").
   */
  processorTotal: { minorUnits: 99_999_999 },
  /** `maxUnitAmount` is the price of one item in kopecks; the total is 1 to 10,000,000 rubles. */
  bankCart: { items: 100, quantity: 9999, maxUnitAmount: 1_000_000_000, minTotal: 100, maxTotal: 1_000_000_000 },
  /** A name on the receipt, in UTF-16 units (the bank's OpenAPI 1.80, `Receipt.Items.Name`). Moderation takes no longer one. */
  receiptName: { characters: 128 },
  buyer: { emailCharacters: 64, phoneCharacters: 40 },
  externalOrderId: { characters: 64 },
  /** The order reference that the processor's checkout takes from a link's query. It drops any other without a word. */
  checkoutReference: { pattern: "^[A-Za-z0-9_-]{1,200}$" },
  promotion: { products: 50, codeCharacters: 500, percentOff: 100, secondsAhead: 60 },
  transactions: { listed: 100, listedByDefault: 20, referenceCharacters: 200 },
  paymentObjects: { records: 1000 },
  /** Movements that an agent can sum in one call. */
  sums: { movements: 20_000 },
  /** The days of one report: three years; and its rows. */
  reports: { days: 1_096, rows: 10_000 },
  /** Payments after which a link can close. */
  linkLimits: { payments: 1_000 },
  /** Products of a partner that wait for moderation at one time. */
  submissions: { waiting: 50 },
  /** An operator's product file: its lines and bytes. */
  productImport: { lines: 10_000, bytes: 8 * 1024 * 1024 },
  /** Attempts in one request to issue a short link. */
  shortLink: { attempts: 3 },
  /** Attempts under one `idempotency_key` that may end in the same error. The next one makes the key terminal. */
  failedAttempts: { count: 5 },
  /** The time for all upstream calls of one operation together, in seconds (interface G.9). */
  upstream: { seconds: 25 },
  /** New idempotency records of a partner per day (UTC). A setting can change it. */
  newRecords: { perDay: 100_000 },
  /** Changes by self-service of a partner per day (UTC). The rest of `perDay` beyond `ofKeys` is for people. */
  selfService: { perDay: 2_000, ofKeys: 1_500 },
  /** Calls of operation 4 of a partner per day (UTC). */
  cancellations: { perDay: 10_000 },
  /** Registrations of a partner per day (UTC) by operation 10 without a token that change something. */
  registrations: { perDay: 1_000 },
  /** Sign-ins of a person per day (UTC). */
  signIns: { perDay: 50 },
  /** Requests of a partner's agents per day (UTC) that wait for a person, and how many hours each can be decided, and then carried out. */
  confirmations: { perDay: 200, hours: 24 },
  testEvents: { perHour: 60 },
  /** Webhooks of one environment that a partner adds to the first one, and the length of their names. */
  webhooks: { further: 5, nameCharacters: 60 },
  /** Messages with a code to an address of a partner, per day (UTC). */
  mailCodes: { perDay: 20 },
  noticeAddress: { characters: 200, perEnvironment: 5 },
  /** Events of a partner about checkouts that ended unpaid, per day (UTC). */
  expiredCheckouts: { perDay: 10_000 },
  /** What may exist at one time: valid keys and active people of a partner, open sessions of a person. */
  live: { keys: 100, people: 200, sessions: 20, operatorSessions: 50 },
  /** Refused requests of a partner that are kept, per day (UTC). */
  refusedRequests: { perDay: 200 },
  /** Refused keys, by address and hint, that are counted per day (UTC): of all callers together, and of one address. */
  refusedKeys: { perDay: 1_000, perAddress: 50 },
  /** The replay window of a result, in hours from its completion: under an `idempotency_key`, and by content. */
  replay: { hours: 24 },
  /** How long the previous signing secret stays valid after a rotation, in days. */
  rotation: { days: 7 },
  /**
   * Lifetime of a grant in days, and of one access token in minutes. An unused registered client expires after the same
   * number of days.
   */
  grant: { days: 90, tokenMinutes: 15, perKey: 50, perDay: 200 },
  /** Entries of a list that an agent gets at once, or up to a page more. */
  agents: { entries: 10_000 },
  /**
   * What an unauthenticated caller can make the OAuth library store: bytes of an entry, its lifetime, and the number of
   * entries.
   */
  unproven: { bytes: 2048, minutes: 60, entries: 5_000, nameCharacters: 100 },
} as const;
