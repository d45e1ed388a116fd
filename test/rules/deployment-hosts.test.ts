import { describe, expect, it } from "vitest";
import { configOf, linksConfigOf } from "../../tools/cli/deploy/config.ts";
import { readRecord } from "../../tools/cli/deploy/record.ts";
import { recordWith } from "../../tools/cli/deploy/record-with.ts";

const options = { apiHost: "api.shop.example", shortLinkHost: "pay.shop.example", region: "weur" } as const;
const earlier = { ...readRecord("never-made"), name: "partner-payments" };
const hostsIn = ({ routes }: { readonly routes?: unknown }) => (routes as { pattern: string }[]).map(({ pattern }) => pattern);

describe("the hosts of a deployment", () => {
  it("are routed to their Workers, and that of the dashboard is a setting, too", () => {
    const record = recordWith(earlier, { ...options, dashboardHost: "dashboard.shop.example" });
    const config = configOf(record);
    expect(hostsIn(config)).toEqual(["api.shop.example", "dashboard.shop.example"]);
    expect(config.vars).toMatchObject({ DASHBOARD_ORIGIN: "https://dashboard.shop.example" });
  });

  it("leave the short links to a Worker of their own, with the same stores and two settings", () => {
    const links = linksConfigOf(recordWith(earlier, options));
    expect([hostsIn(links), links.name]).toEqual([["pay.shop.example"], "partner-payments-links"]);
    expect((links.d1_databases as { binding: string }[]).map(({ binding }) => binding)).toEqual(["DIRECTORY", "CELL_1"]);
    expect(Object.keys(links.vars as object).toSorted()).toEqual(["CHECKOUT_ORIGINS", "DEPLOYMENT"]);
  });

  it("may be without a dashboard", () => {
    const config = configOf(recordWith({ ...earlier, dashboard_host: "desk.shop.example" }, { ...options, dashboardHost: "none" }));
    expect(hostsIn(config)).toEqual(["api.shop.example"]);
    expect(config.vars).not.toHaveProperty("DASHBOARD_ORIGIN");
  });

  it("take that of the dashboard from an earlier setting, which must be an address with a host alone", () => {
    const set = (DASHBOARD_ORIGIN: string) => ({ ...earlier, vars: { DASHBOARD_ORIGIN } });
    expect(recordWith(set("https://desk.shop.example/"), {})).toMatchObject({ dashboard_host: "desk.shop.example", vars: {} });
    expect(() => recordWith(set("https://desk.shop.example/path"), {})).toThrow("Take it out, and give --dashboard-host");
    expect(recordWith(set("https://desk.shop.example/path"), { dashboardHost: "a.shop.example" })).toMatchObject({
      dashboard_host: "a.shop.example",
    });
  });

  it("are in one region, which stays once a database is made", () => {
    const made = { ...earlier, region: "weur" as const, resources: { DIRECTORY: "1" } };
    expect(() => recordWith(made, { region: "enam" })).toThrow("The databases are in weur, and stay there");
    expect(recordWith(made, { region: "weur" }).region).toBe("weur");
    expect(recordWith({ ...made, resources: {} }, { region: "enam" }).region).toBe("enam");
    expect(() => recordWith(made, { cellRegion: "oc" })).toThrow("give both");
  });
});
