import type { Environment } from "../../core/environment.ts";
import { limits } from "../../core/limits.ts";
import { ownHosts, type Settings } from "../../core/settings.ts";
import { parseHttpUrl } from "../../core/urls.ts";

/** The settings that name addresses which no delivery and no chat message may go to. */
export type DeliveryUrlSettings = Pick<Settings, "local" | "apiOrigin" | "shortLinkOrigin" | "dashboardOrigin" | "shortLinkHosts" | "bank">;

const PRIVATE_SUFFIXES = [".local", ".localhost", ".internal"];

/**
 * Why a URL is not allowed for deliveries, or null if it is allowed (interface 10.2). The URL parser has already
 * normalized every spelling of an IP address (decimal, octal, hex, full-width), so one pattern recognises them all. A
 * test URL may use plain http and, only in local development, any host.
 */
export function deliveryUrlError(text: string, environment: Environment, settings: DeliveryUrlSettings): string | null {
  if (text.length > limits.url.characters) return `must be at most ${limits.url.characters} characters`;
  const url = parseHttpUrl(text);
  const scheme = environment === "live" ? "https://" : "http:// or https://";
  if (url === null) return `must be a URL that starts with ${scheme}, without blanks, backslashes, control characters or user name`;
  const host = url.hostname.replace(/\.$/, "");
  if (url.protocol !== "https:" && environment === "live") return "must be an https URL";
  if (environment === "test" && settings.local) return null;
  if (/^\[|^[\d.]+$/.test(host)) return "must name a host, not an IP address";
  if (!host.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) || url.port === "0")
    return "must have a valid host name and port";
  const reserved = [...ownHosts(settings), new URL(settings.bank.base).hostname];
  if (!host.includes(".") || PRIVATE_SUFFIXES.some((suffix) => host.endsWith(suffix))) return "must be on a public host";
  return reserved.includes(host) ? "must not be an address of this service or of the bank" : null;
}
