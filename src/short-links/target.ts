/** Where a slug leads, and the owner of its link. */
export interface Target {
  readonly partnerId: string;
  readonly url: string;
}

/** Whether customers may be led there: the settings name the origins of the processor's pages. Null: anywhere. */
export function isCheckout({ url }: Target, origins: readonly string[] | null): boolean {
  return origins === null || origins.some((origin) => url.startsWith(`${origin}/`));
}

/** As KV has it. A partner's id has no blank. */
export function toCache({ partnerId, url }: Target): string {
  return `${partnerId} ${url}`;
}

/** Null for what this service did not write. */
export function fromCache(text: string): Target | null {
  const blank = text.indexOf(" ");
  return blank < 1 ? null : { partnerId: text.slice(0, blank), url: text.slice(blank + 1) };
}
