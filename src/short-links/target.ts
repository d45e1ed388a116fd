/** The target of a slug, and the owner of its link. */
export interface Target {
  readonly partnerId: string;
  readonly url: string;
}

/**
 * Whether customers may be redirected there: the settings name the origins of the processor's pages. Null: any origin.
 */
export function isCheckout({ url }: Target, origins: readonly string[] | null): boolean {
  return origins === null || origins.some((origin) => url.startsWith(`${origin}/`));
}

/** The KV form. Partner ids contain no blank. */
export function toCache({ partnerId, url }: Target): string {
  return `${partnerId} ${url}`;
}

/** Null for a value that this service did not write. */
export function fromCache(text: string): Target | null {
  const blank = text.indexOf(" ");
  return blank < 1 ? null : { partnerId: text.slice(0, blank), url: text.slice(blank + 1) };
}
