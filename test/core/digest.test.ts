import { expect, it } from "vitest";
import { hmacSha256Hex, sha256Hex, toHex } from "../../src/core/digest.ts";

it("hashes by the known answers of the algorithms", async () => {
  expect(await sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const message = new TextEncoder().encode("what do ya want for nothing?");
  expect(await hmacSha256Hex("Jefe", message)).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});

it("writes each byte as two lower-case digits, whatever holds the bytes", () => {
  expect(toHex(Uint8Array.of(0, 10, 171, 255))).toBe("000aabff");
  expect(toHex(Uint8Array.of(15).buffer)).toBe("0f");
});
