import { expect, it } from "vitest";
import { endpointIdOf, newId, newNumericId, newRequestId, partnerOfEndpoint } from "../../src/core/ids.ts";

it("numbers payments at random, in 15 digits", () => {
  const ids = Array.from({ length: 2000 }, newNumericId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(String(id)).toMatch(/^[1-9]\d{14}$/);
});

it("makes random ids with their type as the prefix", () => {
  expect(newId("evt")).toMatch(/^evt_[0-9a-f]{32}$/);
  expect(newId("evt")).not.toBe(newId("evt"));
});

it("an endpoint's id names its partner and its environment, and gives the partner back", () => {
  expect(endpointIdOf("acme", "live")).toBe("ep_acme_live");
  expect(partnerOfEndpoint("ep_acme_live")).toBe("acme");
  expect(partnerOfEndpoint("ep_acme_of_test_test")).toBe("acme_of_test");
  for (const other of ["ep_acme_staging", "acme_live", "xep_acme_test", "ep_live_acme", ""]) expect(partnerOfEndpoint(other)).toBeNull();
});

it("the id of a request has sixteen hexadecimal digits, and differs each time", () => {
  expect(newRequestId()).toMatch(/^[0-9a-f]{16}$/);
  expect(newRequestId()).not.toBe(newRequestId());
});
