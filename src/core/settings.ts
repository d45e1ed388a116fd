import type { Environment } from "./environment.ts";

/** The Worker's settings, once they have been checked (env.ts). */
export interface Settings {
  readonly local: boolean;
  readonly apiOrigin: string;
  readonly shortLinkOrigin: string;
  readonly processor: {
    readonly base: string;
    readonly keys: Record<Environment, string>;
    readonly eventSecrets: Record<Environment, string>;
  };
  readonly bank: {
    readonly base: string;
    /** By environment, and by the name that products call their terminal by. */
    readonly terminals: Readonly<Record<Environment, Readonly<Record<string, BankTerminal>>>>;
  };
  /** What operators show at the door of `/ops`. */
  readonly opsToken: string;
  readonly encryptionKeys: {
    /** The id of the key that new secrets are sealed with; the others only open what they once sealed. */
    readonly current: string;
    /** Base64 of 32 bytes, by key id. */
    readonly keys: Readonly<Record<string, string>>;
  };
}

/** A terminal of the ruble bank: an account with it, and so a tax regime. */
export interface BankTerminal {
  readonly terminalKey: string;
  readonly password: string;
  /** In the bank's spelling, for example `usn_income`. */
  readonly taxation: string;
}

/** Whether a host name is this very machine's. */
export function isLoopback(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
