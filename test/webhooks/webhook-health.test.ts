import { describe, expect, it } from "vitest";
import { idCodeSchema } from "../../src/core/cell-code-schema.ts";
import { webhookFailing, webhookRecovered } from "../../src/webhooks/outbox/events/webhook-health.ts";

/** The notices about a webhook, in words and fields. */

const CODE = idCodeSchema.parse("01");
const AT = Date.UTC(2026, 10, 20, 8);
const facts = {
  partnerId: "acme",
  environment: "live" as const,
  endpointId: "ep_acme_live",
  name: null,
  event: "evt_1",
  attempts: 4,
  status: 500,
  failingSince: AT,
  once: "x",
};
const failing = async (more: object) =>
  JSON.parse((await webhookFailing.make(CODE, { ...facts, reason: "only_failures", ...more })).payload);

describe("a webhook that fails", () => {
  it.each([
    [
      {},
      "All deliveries to your live webhook have failed since 2026-11-20T08:00:00.000Z. Your receiver answers 500. After five days it is suspended.",
    ],
    [
      { status: null, name: "books", endpointId: "ep_acme_live.k3f9a2" },
      "All deliveries to your webhook “books” have failed since 2026-11-20T08:00:00.000Z. Your receiver does not answer. After five days it is suspended.",
    ],
    [
      { reason: "event_failing", failingSince: null },
      "The event evt_1 has failed 4 times at your live webhook. Your receiver answers 500.",
    ],
    [
      { reason: "event_exhausted" },
      "The event evt_1 was given up after its last attempt at your live webhook. Repair the receiver, then resend it.",
    ],
    [
      { reason: "suspended", status: 410 },
      "Suspended: your live webhook, because your receiver answered 410 Gone. Its events are kept: repair the receiver, then resume the webhook.",
    ],
    [
      { reason: "suspended", environment: "test", endpointId: "ep_acme_test" },
      "Suspended: your test webhook, because every attempt failed for days. Its events are kept: repair the receiver, then resume the webhook.",
    ],
  ])("(%j) says so in a sentence", async (more, says) => expect((await failing(more)).says).toBe(says));

  it("says so in fields", async () => {
    expect(await failing({ name: "books", endpointId: "ep_acme_live.k3f9a2", failingSince: null })).toMatchObject({
      webhook: { webhook: "live.k3f9a2", name: "books" },
      reason: "only_failures",
      failing_since: null,
      failed_event: "evt_1",
      last_status: 500,
    });
  });

  it("has one notice for each reason, which it does not get", async () => {
    const made = async (more: object) => webhookFailing.make(CODE, { ...facts, reason: "only_failures", ...more });
    const [first, same, other, later] = await Promise.all([
      made({}),
      made({ status: 503 }),
      made({ reason: "suspended" }),
      made({ once: "y" }),
    ]);
    expect(same.id).toBe(first.id);
    expect(new Set([first.id, other.id, later.id]).size).toBe(3);
    expect([first.kind, first.about, first.recipient, first.name]).toEqual([
      "webhook.failing",
      "ep_acme_live",
      { partnerId: "acme", environment: "live" },
      "Partner.webhook.failing",
    ]);
  });
});

it("the examples are of the first live webhook, and only an example that was sent has its mark", () => {
  for (const { schema, example } of [webhookFailing, webhookRecovered]) {
    expect(example["webhook"]).toEqual({ webhook: "live", name: null });
    expect([true, false].map((test_event) => schema.safeParse({ ...example, test_event }).success)).toEqual([true, false]);
  }
});

it("a webhook that has recovered has one notice for each series of failures, which it does not get", async () => {
  const made = (more: object = {}) => webhookRecovered.make(CODE, { ...facts, failingSince: AT, recoveredAt: AT + 3_600_000, ...more });
  const event = await made();
  expect(JSON.parse(event.payload)).toEqual({
    webhook: { webhook: "live", name: null },
    failed_since: "2026-11-20T08:00:00.000Z",
    recovered_at: "2026-11-20T09:00:00.000Z",
    says: "Your live webhook takes deliveries again. They had failed since 2026-11-20T08:00:00.000Z.",
  });
  expect([event.about, event.recipient.environment, event.cause]).toEqual(["ep_acme_live", "live", `webhook.recovered:ep_acme_live:${AT}`]);
  expect((await made({ recoveredAt: AT })).id).toBe(event.id);
  expect((await made({ failingSince: AT + 1 })).id).not.toBe(event.id);
});
