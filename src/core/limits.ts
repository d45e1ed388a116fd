/**
 * Every limit that partners meet, said once. Schemas, checks and the API description read these values, and tests hold
 * docs/limits.md and docs/interface.md to them.
 */
export const limits = {
  /** Of one operation's body, in bytes; its nesting in containers. The deepest documented body nests three. */
  body: { bytes: 64 * 1024, depth: 16 },
  url: { characters: 2048 },
  /** Ids of the processor, without their prefix. */
  processorId: { characters: 200 },
  paymentIntentId: { characters: 250 },
  clientToken: { characters: 255 },
  idempotencyKey: { characters: 128 },
  paymentMethods: { count: 50 },
  cart: { items: 20, minUnitAmount: 50, maxUnitAmount: 99_999_999, quantity: 999 },
  /** What the card processor takes at most in one payment: eight digits in every currency of links (its page "Supported currencies"). */
  processorTotal: { minorUnits: 99_999_999 },
  /** The price in kopecks of one item, and of all: 1 to 10,000,000 rubles. */
  bankCart: { items: 100, quantity: 9999, maxUnitAmount: 1_000_000_000, minTotal: 100, maxTotal: 1_000_000_000 },
  buyer: { emailCharacters: 64, phoneCharacters: 40 },
  externalOrderId: { characters: 64 },
  promotion: { products: 50, codeCharacters: 500, percentOff: 100, secondsAhead: 60 },
  transactions: { listed: 100, listedByDefault: 20, referenceCharacters: 200 },
  paymentObjects: { records: 1000 },
  /** Movements that an agent has summed at a time. */
  sums: { movements: 20_000 },
  /** An operator's file of products: its lines, and its bytes. */
  productImport: { lines: 10_000, bytes: 8 * 1024 * 1024 },
  /** Attempts in one request to issue a short link. */
  shortLink: { attempts: 3 },
  /** Attempts under one `idempotency_key` that may end in the same error; the next one makes the key terminal. */
  failedAttempts: { count: 5 },
  /** All calls of one operation to the processor or the bank together, in seconds (interface G.9). */
  upstream: { seconds: 25 },
  /** New idempotency records of a partner on a day (UTC), unless the settings say another number. */
  newRecords: { perDay: 100_000 },
  /** How long a result is replayed, in hours from its completion: under an `idempotency_key`, and by content. */
  replay: { hours: 24 },
  /** How long the previous signing secret stays valid after a rotation, in days. */
  rotation: { days: 7 },
  /** How long an agent that signed in may act: altogether, and with one token. Registered clients end unused after as many days. */
  grant: { days: 90, tokenMinutes: 15, perKey: 50 },
  /** What an unknown caller makes the OAuth library store: bytes of an entry, its life, and how many there are at most. */
  unproven: { bytes: 2048, minutes: 60, entries: 5_000, nameCharacters: 100 },
} as const;
