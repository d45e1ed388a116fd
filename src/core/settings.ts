import type { Environment } from "./environment.ts";
import type { Region } from "./regions.ts";
import type { Retention } from "./retention.ts";

/** The validated settings of the Worker (see env.ts). */
export interface Settings {
  readonly local: boolean;
  /** Where the databases are; null where it is not said. */
  readonly databaseRegion: Region | null;
  /** Where the cells are, from the first on; those after the last are where the databases are. */
  readonly cellRegions: readonly Region[];
  readonly apiOrigin: string;
  readonly shortLinkOrigin: string;
  /** The hosts that serve short links: that of the origin, and those at which a relay asks. */
  readonly shortLinkHosts: readonly string[];
  readonly processor: {
    readonly base: string;
    /** Where customers pay: short links lead nowhere else. Null in local development, where it may be anywhere. */
    readonly checkoutOrigins: readonly string[] | null;
    readonly keys: Record<Environment, string>;
    readonly eventSecrets: Record<Environment, string>;
  };
  readonly bank: {
    readonly base: string;
    /** By environment and terminal name. Products refer to a terminal by this name. */
    readonly terminals: Readonly<Record<Environment, Readonly<Record<string, BankTerminal>>>>;
  };
  /** How long the first event of a payment waits for its other events, in milliseconds: one refresh serves them all. */
  readonly eventDebounceMs: number;
  /** The shares of successful work that get a line in the log, from 0 to 1: of short links' redirects, and of the rest. */
  readonly logged: { readonly successes: number; readonly redirects: number };
  /** The name, if there is one, and the colour of the pages that customers see on the short domain. */
  readonly brand: { readonly name: string | null; readonly color: string };
  /** New idempotency records of a partner on a day. */
  readonly recordsPerDay: number;
  /** How long each kind of row is kept. */
  readonly retention: Retention;
  /** The operator token for `/ops`. */
  readonly opsToken: string;
  /** The team and the application of Cloudflare Access that operators sign in to; null without it. */
  readonly access: { readonly teamDomain: string; readonly audience: string } | null;
  readonly encryptionKeys: {
    /** The id of the key that encrypts new secrets. The other keys only decrypt existing ones. */
    readonly current: string;
    /** Base64 of 32 bytes, by key id. */
    readonly keys: Readonly<Record<string, string>>;
  };
}

/** A terminal of the ruble bank. It is an account at the bank, so it determines the tax regime. */
export interface BankTerminal {
  readonly terminalKey: string;
  readonly password: string;
  /** The bank's code, for example `usn_income`. */
  readonly taxation: string;
}

/** Whether a host name is a loopback name or address. */
export function isLoopback(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
