import { expect, it } from "vitest";
import { readRequest, requestText } from "../../tools/site/try-request.ts";

/** The console of the reference: what a reader types is a request to this service, or is refused. */

it.each([
  ["GET /partner/webhooks", { method: "GET", path: "/partner/webhooks", body: null }],
  ['  POST   /create-link\n\n{"a": 1}\n', { method: "POST", path: "/create-link", body: '{"a": 1}' }],
  ["DELETE /x?y=1", { method: "DELETE", path: "/x?y=1", body: null }],
])("%j is read", (text, request) => expect(readRequest(text)).toEqual(request));

it.each([
  ["", "The first line"],
  ["FETCH /x", "The first line"],
  ["get /x", "The first line"],
  ["GET /x y", "The first line"],
  ["GET //evil.example/x", "one slash"],
  ["GET /\\evil.example/x", "one slash"],
  ["GET https://evil.example/x", "one slash"],
  ["GET x", "one slash"],
  ["GET /x\n\n{}", "no body"],
  ["POST /x\n\n{a: 1}", "no JSON"],
])("%j is refused in words", (text, words) => expect(readRequest(text)).toEqual(expect.stringContaining(words)));

it("a shown request is read as it was", () => {
  for (const body of [null, { items: [{ quantity: 1 }] }]) {
    const request = { method: "POST", path: "/create-link", body };
    expect(readRequest(requestText(request))).toEqual({ ...request, body: body && JSON.stringify(body, null, 2) });
  }
});
