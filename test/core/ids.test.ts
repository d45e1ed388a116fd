import { expect, it } from "vitest";
import {
  CHAT_CODE,
  endpointIdOf,
  endpointIn,
  endpointNameIn,
  eventInDelivery,
  MAIL_CODE_LENGTH,
  newEndpointCode,
  newId,
  newNumericId,
  partnerOfEndpoint,
} from "../../src/core/ids.ts";
import { newRequestId } from "../../src/core/request-id.ts";

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

it("a further endpoint's id ends with its code, and a delivery to it with the same", () => {
  expect(endpointIdOf("acme", "test", "k3f9a2")).toBe("ep_acme_test.k3f9a2");
  expect(endpointIn("ep_acme_test.k3f9a2")).toEqual({ partnerId: "acme", environment: "test", code: "k3f9a2" });
  expect(endpointIn(endpointIdOf("acme", "live", CHAT_CODE))).toEqual({ partnerId: "acme", environment: "live", code: "chat" });
  expect(endpointIn("ep_acme_live")).toEqual({ partnerId: "acme", environment: "live", code: "" });
  expect(endpointIn("ep_acme_live.0a1b2")).toEqual({ partnerId: "acme", environment: "live", code: "0a1b2" });
  expect("0a1b2").toHaveLength(MAIL_CODE_LENGTH);
  for (const other of [
    "ep_acme_live.a",
    "ep_acme_live.shops",
    "ep_acme_live.",
    "ep_acme_live.K3F9A2",
    "ep_acme_live.k3f9",
    "ep_acme_live.k3f9a2x",
    "ep_acme_live.k3f9a2.x",
    "ep_acme.k3f9a2",
  ])
    expect(endpointIn(other)).toBeNull();
  expect([endpointNameIn("ep_acme_live"), endpointNameIn("ep_acme_test.k3f9a2")]).toEqual(["live", "test.k3f9a2"]);
  expect(() => endpointNameIn("acme")).toThrow("acme is no id of an endpoint");
  expect([eventInDelivery("evt_01"), eventInDelivery("evt_01.k3f9a2")]).toEqual(["evt_01", "evt_01"]);
});

it("a code of an endpoint has six digits of base 36, and differs as a rule", () => {
  const codes = Array.from({ length: 500 }, newEndpointCode);
  for (const code of codes) expect(code).toMatch(/^[0-9a-z]{6}$/);
  expect(new Set(codes).size).toBeGreaterThan(490);
});

it("the id of a request has sixteen hexadecimal digits, and differs each time", () => {
  expect(newRequestId()).toMatch(/^[0-9a-f]{16}$/);
  expect(newRequestId()).not.toBe(newRequestId());
});
