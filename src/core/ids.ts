/** A new random id with its type as the prefix, for example `evt_5b0c…` (128 random bits). */
export function newId(prefix: string): string {
  return `${prefix}_${crypto.randomUUID().replaceAll("-", "")}`;
}
