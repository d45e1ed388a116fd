import { describe, expect, it } from "vitest";
import { SignatureError, verifyEvent } from "../../packages/sdk/src/index.ts";
import { knownAnswer } from "../known-answer.ts";

/** The verification of events that partners install, by the known answer of docs/webhooks.md. */

const { secret, id, timestamp, body, digest } = knownAnswer;
const now = timestamp * 1_000;
const headers = { "Service-Event-Id": id, "Service-Timestamp": String(timestamp), "Service-Signature": `v1,${digest}` };

describe("a delivery", () => {
  it.each([
    ["as text", body, headers],
    ["as bytes", new TextEncoder().encode(body), new Headers(headers)],
    [
      "with headers in lists",
      body,
      { "service-event-id": [id], "service-timestamp": [String(timestamp)], "service-signature": [`v1,${digest}`] },
    ],
    ["with several signatures", body, { ...headers, "Service-Signature": `v1,${"0".repeat(64)} v1,${digest}` }],
  ])("%s is the service's", async (_how, raw, given) => {
    await expect(verifyEvent(raw, given, ["whsec_test_old", secret], { now })).resolves.toMatchObject({
      id,
      event: "Bank.payment.succeeded",
    });
  });

  it("may be 300 seconds old, or 60 ahead, and no more", async () => {
    const at = (seconds: number) => verifyEvent(body, headers, secret, { now: now + seconds * 1_000 });
    await expect(at(300)).resolves.toBeDefined();
    await expect(at(-60)).resolves.toBeDefined();
    await expect(at(301)).rejects.toThrow(SignatureError);
    await expect(at(-61)).rejects.toThrow(SignatureError);
  });

  it.each([
    ["another body", `${body} `, headers, secret],
    ["another event's id", body, { ...headers, "Service-Event-Id": "evt_2" }, secret],
    ["another time", body, { ...headers, "Service-Timestamp": String(timestamp + 1) }, secret],
    ["a time that is none", body, { ...headers, "Service-Timestamp": "soon" }, secret],
    ["another secret", body, headers, "whsec_test_other"],
    ["no secret", body, headers, []],
    ["no signature", body, { "Service-Event-Id": id, "Service-Timestamp": String(timestamp) }, secret],
    ["half a signature", body, { ...headers, "Service-Signature": `v1,${digest.slice(1)}` }, secret],
    ["a signature of another version", body, { ...headers, "Service-Signature": `v2,${digest}` }, secret],
  ])("with %s is refused", async (_what, raw, given, secrets) => {
    await expect(verifyEvent(raw, given, secrets, { now })).rejects.toThrow(SignatureError);
  });
});
