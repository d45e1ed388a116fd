import { describe, expect, it } from "vitest";
import { signDelivery } from "../../src/webhooks/delivery/signature.ts";

describe("the signature", () => {
  const id = "evt_01JD3Z7K8M9N0PQRSTVWXYZ123";
  const body = '{"id":"evt_01JD3Z7K8M9N0PQRSTVWXYZ123","type":"Bank.payment.succeeded"}';
  const secret = "whsec_test_4f7d1c0b9a8e6352d1c0b9a8e63524f7";

  it("is the documented one for the documented answer", async () => {
    const signature = await signDelivery(id, 1795132800, body, [secret]);
    expect(signature).toBe("v1,9de875afe043ff3477a70a67003ef17fa5885cb2f36c68748fe5467fed460627");
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
