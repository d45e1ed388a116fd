import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryDelay } from "../../src/webhooks/delivery/schedule.ts";
import { signDelivery } from "../../src/webhooks/delivery/signature.ts";
import { deliveryUrlError } from "../../src/webhooks/endpoints/endpoint-url.ts";
import { createSecretCipher, newSigningSecret } from "../../src/webhooks/endpoints/secret-cipher.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../support/later.ts";

const deployed = {
  local: false,
  apiOrigin: "https://api.partner.test",
  shortLinkOrigin: "https://pay.partner.test",
  bank: { base: "https://bank-relay.partner.test/path", terminals: { live: {}, test: {} } },
};
const local = { ...deployed, local: true };

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

describe("the schedule", () => {
  const waits = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

  it("waits as documented after each failed attempt, and ends with the tenth", () => {
    expect(waits.map((_, index) => retryDelay(index + 1, 0, 0.5))).toEqual(waits);
    expect(retryDelay(10, 0, 0.5)).toBeNull();
    expect(retryDelay(11, 24 * HOUR, 0.5)).toBeNull();
  });

  it("stays within a tenth of it, or waits for Retry-After where that is longer", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.nat(DAY),
        (attempts, random, retryAfter) => {
          const wait = retryDelay(attempts, 0, random) ?? 0;
          expect(Math.abs(wait - (waits[attempts - 1] ?? 0))).toBeLessThanOrEqual((waits[attempts - 1] ?? 0) / 10 + 1e-6);
          expect(retryDelay(attempts, retryAfter, random)).toBe(Math.max(wait, retryAfter));
        },
      ),
    );
  });
});

describe("a secret", () => {
  const box = createSecretCipher({ current: "new", keys: { new: btoa("n".repeat(32)), old: btoa("o".repeat(32)) } });
  const oldBox = createSecretCipher({ current: "old", keys: { old: btoa("o".repeat(32)) } });

  it("is 32 random bytes after its environment's prefix", () => {
    expect(newSigningSecret("live")).toMatch(/^whsec_live_[0-9a-f]{64}$/);
    expect(newSigningSecret("test")).toMatch(/^whsec_test_[0-9a-f]{64}$/);
    expect(newSigningSecret("test")).not.toBe(newSigningSecret("test"));
  });

  it("opens where it was encrypted for, and nowhere else", async () => {
    const encrypted = await box.encrypt("whsec_live_x", "ep_acme_live");
    expect(encrypted).toMatch(/^new\./);
    expect(encrypted).not.toContain("whsec");
    expect(await box.decrypt(encrypted, "ep_acme_live")).toBe("whsec_live_x");
    await expect(box.decrypt(encrypted, "ep_globex_live")).rejects.toThrow();
    await expect(box.decrypt(`${encrypted.slice(0, -4)}AAA=`, "ep_acme_live")).rejects.toThrow();
    expect(await box.encrypt("whsec_live_x", "ep_acme_live")).not.toBe(encrypted);
  });

  it("still opens after the key was changed, as long as the old key is there", async () => {
    const encrypted = await oldBox.encrypt("whsec_live_x", "ep");
    expect(await box.decrypt(encrypted, "ep")).toBe("whsec_live_x");
    const without = createSecretCipher({ current: "new", keys: { new: btoa("n".repeat(32)) } });
    await expect(without.decrypt(encrypted, "ep")).rejects.toThrow("old");
  });
});

describe("where deliveries may go", () => {
  it.each([
    "https://shop.example/hook",
    "https://shop.example:8443/hook?x=1#y",
    "https://münchen.example/hook",
    "https://1.2.3.4.example/",
    `https://${"a".repeat(63)}.example/`,
    "https://shop.example/@me?mail=a@b",
    "https://_hooks.shop-1.example",
    "https://localhost.example/",
    "https://xn--mnchen-3ya.example/",
    `https://shop.example/${"a".repeat(2048 - 21)}`,
  ])("%s: to either", (url) => {
    expect(deliveryUrlError(url, "live", deployed)).toBeNull();
    expect(deliveryUrlError(url, "test", deployed)).toBeNull();
  });

  it("http: to test alone", () => {
    expect(deliveryUrlError("http://shop.example/", "test", deployed)).toBeNull();
    expect(deliveryUrlError("http://shop.example/", "live", deployed)).toContain("https");
  });

  it.each([
    "",
    "shop.example",
    "//shop.example",
    "https:shop.example",
    "https:///shop.example",
    "ftp://shop.example/",
    "javascript:alert(1)",
    "https://",
    "https:// shop.example/",
    "https://shop.example/a b",
    "https://shop.example/\u0000",
    "https://shop.example/\n",
    " https://shop.example/",
    "https://shop.example/\ud800",
    "https://user@shop.example/",
    "https://user:pass@shop.example/",
    "https://:pass@shop.example/",
    "https://localhost/",
    "https://LOCALHOST/",
    "https://localhost./",
    "https://app.localhost/",
    "https://printer.local/",
    "https://printer.local./",
    "https://db.internal/",
    "https://intranet/",
    "https://127.0.0.1/",
    "https://10.0.0.1/",
    "https://8.8.8.8/",
    "https://2130706433/",
    "https://0x7f.1/",
    "https://0x7f000001/",
    "https://0177.0.0.1/",
    "https://127.1/",
    "https://１２７.0.0.1/",
    "https://[::1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[fe80::1]/",
    "https://api.partner.test/hook",
    "https://API.PARTNER.TEST/hook",
    "https://pay.partner.test./hook",
    "https://pay.partner.test../hook",
    "https://localhost../",
    "https://bank-relay.partner.test/",
    "https://@shop.example/",
    "https://:@shop.example/",
    "https://shop.example\\@localhost/",
    "https://shop.example:0/",
    "https://.shop.example/",
    "https://shop..example/",
    "https://-shop.example/",
    `https://${"a".repeat(64)}.example/`,
    "wss://shop.example/",
    `https://shop.example/${"a".repeat(2048 - 20)}`,
  ])("%j: to neither", (url) => {
    expect(deliveryUrlError(url, "live", deployed)).toMatch(/^must/);
    expect(deliveryUrlError(url, "test", deployed)).toMatch(/^must/);
  });

  it("this machine: in local development, to test alone", () => {
    for (const url of ["http://localhost:8788/inbox/acme", "http://127.0.0.1:8788/"]) {
      expect(deliveryUrlError(url, "test", local)).toBeNull();
      expect(deliveryUrlError(url.replace("http:", "https:"), "live", local)).toMatch(/^must/);
    }
  });
});
