import { describe, expect, it } from "vitest";
import { deliveryUrlError } from "../../src/webhooks/endpoints/endpoint-url.ts";

const deployed = {
  local: false,
  apiOrigin: "https://api.partner.test",
  shortLinkOrigin: "https://pay.partner.test",
  dashboardOrigin: "https://dashboard.partner.test",
  shortLinkHosts: ["pay.partner.test", "relay.partner.test:8443"],
  bank: { base: "https://bank-relay.partner.test/path", terminals: { live: {}, test: {} } },
};
const local = { ...deployed, local: true };

// interface 10.1, 10.2
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
    "https://shop.example./",
    "https://xn--mnchen-3ya.example/",
    `https://shop.example/${"a".repeat(2048 - 21)}`,
  ])("%s: to either", (url) => {
    expect(deliveryUrlError(url, "live", deployed)).toBeNull();
    expect(deliveryUrlError(url, "test", deployed)).toBeNull();
  });

  // interface 10.2
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

  it("a service without a dashboard: to any other public host", () => {
    expect(deliveryUrlError("https://dashboard.partner.test/", "live", { ...deployed, dashboardOrigin: null })).toBeNull();
  });

  // interface 10.2
  it("this machine: in local development, to test alone", () => {
    for (const url of ["http://localhost:8788/inbox/acme", "http://127.0.0.1:8788/"]) {
      expect(deliveryUrlError(url, "test", local)).toBeNull();
      expect(deliveryUrlError(url.replace("http:", "https:"), "live", local)).toMatch(/^must/);
    }
  });

  it.each([
    ["ftp://shop.example/", "live", "starts with https://,"],
    ["ftp://shop.example/", "test", "starts with http:// or https://,"],
    ["http://shop.example/", "live", "must be an https URL"],
    ["https://10.0.0.1/", "live", "not an IP address"],
    ["https://[::1]/", "live", "not an IP address"],
    ["https://-shop.example/", "live", "host name and port"],
    ["https://localhost/", "live", "public host"],
    ["https://db.internal/", "live", "public host"],
    ["https://api.partner.test/", "live", "address of this service"],
    ["https://pay.partner.test/", "live", "address of this service"],
    ["https://dashboard.partner.test/ops", "live", "address of this service"],
    ["https://relay.partner.test/", "test", "address of this service"],
    ["https://bank-relay.partner.test/", "live", "address of this service"],
    [`https://shop.example/${"a".repeat(2048)}`, "live", "at most 2048 characters"],
  ] as const)("%s, %s: because it %s", (url, environment, why) => {
    expect(deliveryUrlError(url, environment, deployed)).toContain(why);
  });
});
