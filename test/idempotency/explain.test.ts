import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../src/core/errors.ts";
import { EXPIRED, explainKey } from "../../src/idempotency/explain.ts";
import { clientKeyText } from "../../src/idempotency/key.ts";
import type { IdempotencyRecord } from "../../src/idempotency/store.ts";
import { v1Protocol } from "../../src/idempotency/v1-protocol.ts";
import { v2Protocol } from "../../src/idempotency/v2-protocol.ts";

/** Explanations of a key: what programs read in English, pages show in Russian. What a repeat does is in test/http/ops-story.test.ts. */

const NOW = Date.UTC(2026, 10, 29);
const DAY = 24 * 3600 * 1000;
const error: ServiceError = { kind: "upstream_failed", upstream: "bank", code: null, message: "502" };
const BOTH = [true, false] as const;
const GENERATIONS = [
  v1Protocol,
  v2Protocol({ whileRunning: "join", afterFailure: "try_again" }),
  v2Protocol({ whileRunning: "refuse", afterFailure: "refuse" }),
];
const STATES = ["completed", "running", "awaiting_short_link", "failed", "failed_terminal"] as const;
const cases = STATES.flatMap((state) =>
  GENERATIONS.flatMap((generation) =>
    BOTH.flatMap((resumable) =>
      [null, NOW + DAY].flatMap((compensateAt) =>
        [NOW - 1, NOW - 2 * DAY].map((completedAt) => ({ generation, state, resumable, compensateAt, completedAt })),
      ),
    ),
  ),
);

const sentences = (text: string) => text.split(/(?<=\.) /);
const times = (text: string) => text.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];

describe("an explanation says the same in Russian", () => {
  it.each(cases)("of a key that is $state in $generation.name", ({ generation, state, ...stored }) => {
    const fields = { updatedAt: NOW, failures: 2, error: state.startsWith("failed") ? JSON.stringify(error) : null, ...stored };
    const record = { key: clientKeyText(generation.name, "order-1"), state, ...fields } as IdempotencyRecord;
    const { en, ru } = explainKey(generation, record, NOW).words;
    expect(times(ru)).toEqual(times(en));
    for (const sentence of sentences(ru)) expect(sentence).toMatch(/^[А-ЯЁ].*\.$/s);
    expect(ru).not.toMatch(/out of reach|upstream|undefined|null/);
    expect(ru.includes("банк не отвечает (502)")).toBe(en.includes("bank out of reach (502)"));
  });

  it("of a request whose record has expired", () => {
    expect(EXPIRED).toEqual({ en: expect.stringMatching(/^Its record.*\.$/), ru: expect.stringMatching(/^[А-ЯЁ].*\.$/) });
  });
});
