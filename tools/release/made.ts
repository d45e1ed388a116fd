/** A file that partners install. */
export interface Made {
  readonly name: string;
  readonly file: string;
  readonly content: Uint8Array;
  /** How it is installed from the service, whose address is the one of a local stack until it is served. */
  readonly install: string;
}

/** The address in the samples of the pages. The service puts its own in its place. */
export const SERVICE = "http://localhost:8787";
