/** Where a slug leads, and whose it is. */
export interface Target {
  readonly partnerId: string;
  readonly url: string;
}

/** As KV has it. A partner's id has no blank. */
export function toCache({ partnerId, url }: Target): string {
  return `${partnerId} ${url}`;
}

export function fromCache(text: string): Target {
  const blank = text.indexOf(" ");
  return { partnerId: text.slice(0, Math.max(0, blank)), url: text.slice(blank + 1) };
}
