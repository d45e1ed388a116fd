/** The settings of short links. Both Workers have them: that of the API, and that of the short links. */
export interface LinkSettings {
  readonly local: boolean;
  /** The origins where customers pay. Short links lead nowhere else. Null in local development, where any origin is allowed. */
  readonly checkoutOrigins: readonly string[] | null;
  /** The name (optional) and the colour of the pages that customers see on the short domain. */
  readonly brand: { readonly name: string | null; readonly color: string };
  /** The shares of successes that get a log line, from 0 to 1: of short-link redirects, and of other work. */
  readonly logged: { readonly successes: number; readonly redirects: number };
}

/** The brand of a service that names none. */
export const NO_BRAND: LinkSettings["brand"] = { name: null, color: "#1f6feb" };

/** The names of these settings. */
export const linkSettingNames = ["DEPLOYMENT", "CHECKOUT_ORIGINS", "BRAND_NAME", "BRAND_COLOR", "LOG_SUCCESSES", "LOG_REDIRECTS"] as const;
type Name = (typeof linkSettingNames)[number];

const LONGEST_NAME = 60;
const COLOR = /^#[0-9a-f]{6}$/i;

/** What is wrong with a setting. */
interface Fault {
  readonly setting: string;
  readonly message: string;
}

/**
 * Reads the settings of short links, with a fault for each that is invalid. It is plain code, because a customer's first click
 * waits for what the Worker of the short links loads, and a library for schemas is most of that.
 */
export function readLinkSettings(vars: object): { readonly settings: LinkSettings; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const givenIn = (setting: Name): unknown => Reflect.get(vars, setting);
  const check = (setting: Name, isRight: boolean, message: string) => {
    if (!isRight) faults.push({ setting, message });
  };
  const textOf = (setting: Name): string | null => {
    const given = givenIn(setting);
    check(setting, given === undefined || typeof given === "string", "must be a text");
    return typeof given === "string" ? given : null;
  };
  const shareOf = (setting: Name, otherwise: number) => {
    const share = Number(givenIn(setting) ?? otherwise);
    check(setting, share >= 0 && share <= 1, "must be a number from 0 to 1");
    return share;
  };

  const deployment = givenIn("DEPLOYMENT");
  check("DEPLOYMENT", deployment === "production" || deployment === "local", "must be production or local");
  const local = deployment === "local";

  const origins = textOf("CHECKOUT_ORIGINS");
  const checkoutOrigins = origins !== null ? origins.split(",").map((one) => originIn(one)) : [];
  check("CHECKOUT_ORIGINS", local || checkoutOrigins.length > 0, "must name the origins of the pages where customers pay");
  check("CHECKOUT_ORIGINS", !checkoutOrigins.includes(null), "must be http or https addresses without a path, separated by commas");
  check(
    "CHECKOUT_ORIGINS",
    local || checkoutOrigins.every((one) => one?.startsWith("https:") ?? true),
    "must use https in a deployed Worker",
  );

  const name = textOf("BRAND_NAME")?.trim() ?? null;
  check("BRAND_NAME", name !== "" && (name ?? "").length <= LONGEST_NAME, `must have 1 to ${LONGEST_NAME} characters`);
  const color = textOf("BRAND_COLOR") ?? NO_BRAND.color;
  check("BRAND_COLOR", COLOR.test(color), `must be a colour such as ${NO_BRAND.color}`);

  const settings = {
    local,
    // Where one is none, that is a fault, and the settings are not used.
    checkoutOrigins: local ? null : checkoutOrigins.flatMap((one) => one ?? []),
    brand: { name, color },
    logged: { successes: shareOf("LOG_SUCCESSES", 1), redirects: shareOf("LOG_REDIRECTS", REDIRECTS_LOGGED) },
  };
  return { settings, faults };
}

/** Of redirects, which are nearly all requests, one in a hundred is logged. */
const REDIRECTS_LOGGED = 0.01;

/** The http or https origin of an address that has no path; null for any other text. A path would be dropped silently. */
export function originIn(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && ["http:", "https:"].includes(url.protocol) && url.pathname === "/" ? url.origin : null;
}

/** The message for invalid settings: it names each and never shows its value. */
export function saidOf(faults: readonly Fault[]): string {
  return `The Worker's settings are invalid (docs/deploy.md lists them): ${faults.map(({ setting, message }) => `${setting}: ${message}`).join("; ")}`;
}
