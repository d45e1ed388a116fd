import { expect, it } from "vitest";
import { isLoopback } from "../../src/core/settings.ts";

it("knows this machine by its three names alone", () => {
  for (const host of ["localhost", "127.0.0.1", "[::1]"]) expect(isLoopback(host)).toBe(true);
  for (const host of ["localhost.example", "127.0.0.2", "::1", "example.com", ""]) expect(isLoopback(host)).toBe(false);
});
