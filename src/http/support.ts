import type { Settings } from "../core/settings.ts";

/** A message that sends its reader to support also says how to reach it, if the setting SUPPORT_CONTACT says so. */
export function namingSupport({ supportContact }: Pick<Settings, "supportContact">, message: string): string {
  return supportContact !== null && /\bsupport\b/i.test(message) ? `${message} Support: ${supportContact}` : message;
}
