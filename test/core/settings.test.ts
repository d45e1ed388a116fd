import { expect, it } from "vitest";
import { localSecrets, localVars } from "../../sandbox/local-settings.ts";
import { isLoopback } from "../../src/core/settings.ts";
import { readSettings } from "../../src/settings.ts";

it("knows this machine by its three names alone", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) expect(isLoopback(host)).toBe(true);
  for (const host of ["localhost.example", "127.0.0.2", "::1", "example.com", ""]) expect(isLoopback(host)).toBe(false);
});

const keys = (current: string) => JSON.stringify({ current, keys: { k1: btoa("a key of thirty-two bytes exactly") } });
const local = {
  ...localVars({ edge: "http://localhost:8787", processor: "http://localhost:8788", bank: "http://localhost:8788" }),
  ...localSecrets,
};

it.each(["constructor", "toString", "__proto__", "k2"])(
  "refuses %j as the current encryption key: no key of its own has that name",
  (current) => {
    expect(() => readSettings({ ...local, SECRET_ENCRYPTION_KEYS: keys(current) })).toThrow("SECRET_ENCRYPTION_KEYS");
  },
);
