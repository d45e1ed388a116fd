import { describe, expect, it } from "vitest";
import webhooks from "../../docs/webhooks.md?raw";
import { signDelivery } from "../../src/webhooks/delivery/signature.ts";
import { bankPaymentSucceeded } from "../../src/webhooks/outbox/events/bank-payment-succeeded.ts";
import { knownAnswer } from "../known-answer.ts";

describe("the signature", () => {
  const { id, timestamp, body, secret, digest } = knownAnswer;

  it("is the documented one for the documented event", async () => {
    expect(await signDelivery(id, timestamp, body, [secret])).toBe(`v1,${digest}`);
    for (const said of [body, id, String(timestamp), secret, digest]) expect(webhooks).toContain(said);
    const event: unknown = JSON.parse(body);
    expect(bankPaymentSucceeded.schema.parse(event)).toEqual(event);
  });

  it("has a value for each secret, the current one first", async () => {
    const [current, previous] = [await signDelivery(id, 1, body, ["a"]), await signDelivery(id, 1, body, ["b"])];
    expect(await signDelivery(id, 1, body, ["a", "b"])).toBe(`${current} ${previous}`);
  });

  it("covers id, time and body", async () => {
    const right = await signDelivery(id, 1, body, [secret]);
    for (const other of [
      signDelivery("evt_2", 1, body, [secret]),
      signDelivery(id, 2, body, [secret]),
      signDelivery(id, 1, `${body} `, [secret]),
    ]) {
      expect(await other).not.toBe(right);
    }
  });
});
