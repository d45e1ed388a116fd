import { describe, expect, it } from "vitest";
import { createSecretCipher, newSigningSecret } from "../../src/core/secret-cipher.ts";

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
