import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import webhooks from "../../docs/webhooks.md?raw";
import { signDelivery } from "../../src/webhooks/delivery/signature.ts";
import { bankPaymentSucceeded } from "../../src/webhooks/outbox/events/bank-payment-succeeded.ts";
import { knownAnswer } from "../known-answer.ts";

describe("the signature", () => {
  const { id, timestamp, body, secret, digest } = knownAnswer;

  // interface W.5
  it("is the documented one for the documented event", async () => {
    expect((await signDelivery(id, timestamp, body, [secret])).service).toBe(`v1,${digest}`);
    for (const said of [body, id, String(timestamp), secret, digest]) expect(webhooks).toContain(said);
    const event: unknown = JSON.parse(body);
    expect(bankPaymentSucceeded.schema.parse(event)).toEqual(event);
  });

  // interface W.4
  it("has a value for each secret, the current one first", async () => {
    const [current, previous] = [await signDelivery(id, 1, body, ["a"]), await signDelivery(id, 1, body, ["b"])];
    const both = await signDelivery(id, 1, body, ["a", "b"]);
    expect(both).toEqual({ service: `${current.service} ${previous.service}`, standard: `${current.standard} ${previous.standard}` });
  });

  // interface W.5
  it("covers id, time and body", async () => {
    const right = await signDelivery(id, 1, body, [secret]);
    for (const other of [
      signDelivery("evt_2", 1, body, [secret]),
      signDelivery(id, 2, body, [secret]),
      signDelivery(id, 1, `${body} `, [secret]),
    ]) {
      expect((await other).service).not.toBe(right.service);
      expect((await other).standard).not.toBe(right.standard);
    }
  });

  it("verifies by the library of Standard Webhooks, as docs/webhooks.md has it (interface W.6)", async () => {
    const now = Math.floor(Date.now() / 1_000);
    const { standard } = await signDelivery(id, now, body, ["another", secret]);
    const headers = { "webhook-id": id, "webhook-timestamp": String(now), "webhook-signature": standard };
    expect(webhooks).toContain('new Webhook(process.env.SIGNING_SECRET, { format: "raw" })');
    expect(new Webhook(secret, { format: "raw" }).verify(body, headers)).toEqual(JSON.parse(body));
    expect(new Webhook(btoa(secret)).verify(body, headers)).toEqual(JSON.parse(body));
    expect(() => new Webhook("other", { format: "raw" }).verify(body, headers)).toThrow(/No matching signature/);
    expect(() => new Webhook(secret, { format: "raw" }).verify(`${body} `, headers)).toThrow(/No matching signature/);
  });
});
