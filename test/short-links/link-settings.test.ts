import { describe, expect, it } from "vitest";
import { linkSettingNames, originIn, readLinkSettings, saidOf } from "../../src/short-links/link-settings.ts";

const deployed = { DEPLOYMENT: "production", CHECKOUT_ORIGINS: "https://buy.example, https://pay.example/" };
const faultsOf = (some: object) =>
  readLinkSettings({ ...deployed, ...some }).faults.map(({ setting, message }) => `${setting}: ${message}`);

describe("the settings of short links", () => {
  it("are read with their defaults", () => {
    expect(readLinkSettings(deployed)).toEqual({
      faults: [],
      settings: {
        local: false,
        checkoutOrigins: ["https://buy.example", "https://pay.example"],
        brand: { name: null, color: "#1f6feb" },
        logged: { successes: 1, redirects: 0.01 },
      },
    });
  });

  it("are read as they are given", () => {
    const given = { BRAND_NAME: " Tea ", BRAND_COLOR: "#AB12cd", LOG_SUCCESSES: "0", LOG_REDIRECTS: "1" };
    expect(readLinkSettings({ ...deployed, ...given }).settings).toMatchObject({
      brand: { name: "Tea", color: "#AB12cd" },
      logged: { successes: 0, redirects: 1 },
    });
    expect(faultsOf(given)).toEqual([]);
    expect(faultsOf({ BRAND_NAME: "x".repeat(60), LOG_REDIRECTS: 0.5 })).toEqual([]);
  });

  it("name no origin in local development", () => {
    expect(readLinkSettings({ DEPLOYMENT: "local" })).toMatchObject({ faults: [], settings: { local: true, checkoutOrigins: null } });
    expect(readLinkSettings({ DEPLOYMENT: "local", CHECKOUT_ORIGINS: "http://a.example" }).faults).toEqual([]);
  });

  it.each([
    [{ DEPLOYMENT: "staging" }, "DEPLOYMENT: must be production or local"],
    [{ CHECKOUT_ORIGINS: undefined }, "CHECKOUT_ORIGINS: must name the origins of the pages where customers pay"],
    [{ CHECKOUT_ORIGINS: "" }, "CHECKOUT_ORIGINS: must be http or https addresses without a path, separated by commas"],
    [{ CHECKOUT_ORIGINS: "https://a.example,b" }, "CHECKOUT_ORIGINS: must be http or https addresses without a path, separated by commas"],
    [{ CHECKOUT_ORIGINS: "https://a.example,http://b.example" }, "CHECKOUT_ORIGINS: must use https in a deployed Worker"],
    [{ BRAND_NAME: " " }, "BRAND_NAME: must have 1 to 60 characters"],
    [{ BRAND_NAME: "x".repeat(61) }, "BRAND_NAME: must have 1 to 60 characters"],
    [{ BRAND_NAME: 7 }, "BRAND_NAME: must be a text"],
    [{ BRAND_COLOR: "red" }, "BRAND_COLOR: must be a colour such as #1f6feb"],
    [{ BRAND_COLOR: "x#1f6feb" }, "BRAND_COLOR: must be a colour such as #1f6feb"],
    [{ BRAND_COLOR: "#1f6febb" }, "BRAND_COLOR: must be a colour such as #1f6feb"],
    [{ BRAND_COLOR: 7 }, "BRAND_COLOR: must be a text"],
    [{ CHECKOUT_ORIGINS: 7, DEPLOYMENT: "local" }, "CHECKOUT_ORIGINS: must be a text"],
    [{ LOG_SUCCESSES: "-0.1" }, "LOG_SUCCESSES: must be a number from 0 to 1"],
    [{ LOG_REDIRECTS: "1.1" }, "LOG_REDIRECTS: must be a number from 0 to 1"],
    [{ LOG_REDIRECTS: "some" }, "LOG_REDIRECTS: must be a number from 0 to 1"],
  ])("%j are refused, by their name and without their value", (some, fault) => {
    expect(faultsOf(some)).toEqual([fault]);
  });

  it("are said with all faults at once", () => {
    const { faults } = readLinkSettings({ DEPLOYMENT: "x", BRAND_COLOR: "red" });
    expect(saidOf(faults)).toMatch(
      /^The Worker's settings are invalid \(docs\/deploy\.md lists them\): DEPLOYMENT: [^;]+; CHECKOUT_ORIGINS: [^;]+; BRAND_COLOR: /,
    );
    expect(linkSettingNames).toEqual(["DEPLOYMENT", "CHECKOUT_ORIGINS", "BRAND_NAME", "BRAND_COLOR", "LOG_SUCCESSES", "LOG_REDIRECTS"]);
  });

  it.each([
    ["https://a.example", "https://a.example"],
    ["https://a.example/", "https://a.example"],
    ["http://a.example:8787", "http://a.example:8787"],
    ["https://a.example/b", null],
    ["ftp://a.example", null],
    ["xhttps://a.example", null],
    ["a.example", null],
    ["", null],
  ])("%j has the origin %j", (text, found) => {
    expect(originIn(text)).toBe(found);
  });
});
