import type { Environment } from "./environment.ts";
import type { ffdVersions, ReceiptMethod, ReceiptSubject } from "./receipts.ts";
import type { Region } from "./regions.ts";
import type { Retention } from "./retention.ts";

/** The validated settings of the Worker (see src/settings.ts). */
export interface Settings {
  readonly local: boolean;
  /** The region of the databases; null if no setting says it. */
  readonly databaseRegion: Region | null;
  /** The regions of the cells, from the first one on. Further cells are in the databases' region. */
  readonly cellRegions: readonly Region[];
  readonly apiOrigin: string;
  /**
   * Where partners' people sign in: a host of its own. Null: the service has no dashboard. In local development, one
   * host serves everything.
   */
  readonly dashboardOrigin: string | null;
  /** Whom partners write to: an address or a phone of support. Null: messages only say "support". */
  readonly supportContact: string | null;
  /** The sender of messages by e-mail; null: this service sends none. */
  readonly mailFrom: string | null;
  /** Where messages to Telegram go; in local development, the sandbox. */
  readonly telegramBase: string;
  /** Sends the deliveries to some receivers from addresses that do not change; null without one. */
  readonly deliveryRelay: DeliveryRelay | null;
  readonly shortLinkOrigin: string;
  /** The hosts that serve short links: the origin's host, and the hosts that a relay uses. */
  readonly shortLinkHosts: readonly string[];
  readonly processor: {
    readonly base: string;
    /** Where people look at the processor's objects; null: operators get no links to it. */
    readonly dashboard: string | null;
    /**
     * The origins where customers pay. Short links lead nowhere else. Null in local development, where any origin is
     * allowed.
     */
    readonly checkoutOrigins: readonly string[] | null;
    readonly keys: Record<Environment, string>;
    readonly eventSecrets: Record<Environment, string>;
  };
  readonly bank: {
    readonly base: string;
    /** By environment and terminal name. Products refer to a terminal by this name. */
    readonly terminals: Readonly<Record<Environment, Readonly<Record<string, BankTerminal>>>>;
  };
  /**
   * How long the first event of a payment waits for further events, in milliseconds, so that one refresh serves them
   * all.
   */
  readonly eventDebounceMs: number;
  /** The shares of successes that get a log line, from 0 to 1: of short-link redirects, and of other work. */
  readonly logged: { readonly successes: number; readonly redirects: number };
  /** The name (optional) and the colour of the pages that customers see on the short domain. */
  readonly brand: { readonly name: string | null; readonly color: string };
  /** Where openings of short links are counted; null: this service does not count them. */
  readonly analytics: AnalyticsSettings | null;
  /** New idempotency records of a partner per day. */
  readonly recordsPerDay: number;
  /** How long each kind of row is kept. */
  readonly retention: Retention;
  /** The operator token for `/ops`. */
  readonly opsToken: string;
  /** The team and the application of Cloudflare Access for operators; null without Access. */
  readonly access: { readonly teamDomain: string; readonly audience: string } | null;
  readonly encryptionKeys: {
    /** The id of the key that encrypts new secrets. The other keys only decrypt existing ones. */
    readonly current: string;
    /** Base64 of 32 bytes, by key id. */
    readonly keys: Readonly<Record<string, string>>;
  };
}

/** The platform's Analytics Engine, and the dataset of the openings. */
export interface AnalyticsSettings {
  readonly base: string;
  readonly account: string;
  readonly dataset: string;
  /** The secret of an API token that may read it. */
  readonly token: string;
}

/** An egress relay, and the receivers that deliveries reach by it. */
export interface DeliveryRelay {
  readonly url: string;
  /** The secret by which the relay knows this service. */
  readonly key: string;
  /** The receivers' host names. */
  readonly hosts: readonly string[];
}

/** A terminal of the ruble bank. It is an account at the bank, so it determines the tax regime. */
export interface BankTerminal {
  readonly terminalKey: string;
  readonly password: string;
  /** The bank's code, for example `usn_income`. */
  readonly taxation: string;
  /** How many days after a payment the bank credits it. */
  readonly settlementDays: number;
  /** What its fiscal receipts say of a line whose product does not. */
  readonly receipt: {
    readonly ffdVersion: (typeof ffdVersions)[number];
    /** Null: the bank's own default. */
    readonly subject: ReceiptSubject | null;
    readonly method: ReceiptMethod | null;
    /** The unit of the quantity, for FFD 1.2. */
    readonly unit: string;
  };
}

/** The host names of this service: of the API, the dashboard and the short links, behind a relay too. */
export function ownHosts(
  settings: Pick<Settings, "apiOrigin" | "shortLinkOrigin" | "dashboardOrigin" | "shortLinkHosts">,
): readonly string[] {
  const { apiOrigin, shortLinkOrigin, dashboardOrigin, shortLinkHosts } = settings;
  const origins = [apiOrigin, shortLinkOrigin, dashboardOrigin ?? apiOrigin, ...shortLinkHosts.map((host) => `https://${host}`)];
  return origins.map((origin) => new URL(origin).hostname);
}

/** Whether a host name is a loopback name or address. */
export function isLoopback(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
