/** The target of a slug, and the owner of its link. */
export interface Target {
  readonly partnerId: string;
  readonly url: string;
  /** From when on it takes no payments, in Unix milliseconds; null for no end. */
  readonly closesAt: number | null;
}

/**
 * Whether customers may be redirected there: the settings name the origins of the processor's pages. Null: any origin.
 */
export function isCheckout({ url }: Pick<Target, "url">, origins: readonly string[] | null): boolean {
  return origins === null || origins.some((origin) => url.startsWith(`${origin}/`));
}

/** The KV form: owner, address, and the end if there is one. Neither has a blank. */
export function toCache({ partnerId, url, closesAt }: Target): string {
  return closesAt === null ? `${partnerId} ${url}` : `${partnerId} ${url} ${closesAt}`;
}

const CACHED = /^([^ ]+) ([^ ]+)(?: (\d+))?$/;

/** Null for a value that this service did not write. */
export function fromCache(text: string): Target | null {
  const found = CACHED.exec(text);
  if (found === null) return null;
  const [, partnerId = "", url = "", end] = found;
  return { partnerId, url, closesAt: end === undefined ? null : Number(end) };
}
