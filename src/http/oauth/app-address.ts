import type { ConsentDescription } from "@cloudflare/workers-oauth-provider";

/** What the pages say of the app that asks. */
export interface AskingApp extends ConsentDescription {
  /** The scheme of the addresses that lead to the app, such as `example-editor:`; null for an address of the web. */
  readonly privateScheme: string | null;
}

/** The scheme of an address that is none of the web: an app has claimed it on the person's machine. */
export function schemeOfApp(address: string): string | null {
  const { protocol } = new URL(address);
  return protocol === "https:" || protocol === "http:" ? null : protocol;
}

/** Schemes that browsers or systems give a meaning of their own: no app of a person's own has them. The library refuses `javascript:` and the like. */
const NO_APP =
  /^(?:about|chrome|chrome-extension|content|dav|facetime|filesystem|ftp|ftps|intent|ldap|market|ms-\S{1,60}|resource|shell|sip|smb|sms|ssh|tel|view-source|ws|wss):$/;

/** Whether an address may lead back to an app: one of the web, or one whose scheme an app can have. */
export function mayLeadBack(address: string): boolean {
  const scheme = schemeOfApp(address);
  return scheme === null || !NO_APP.test(scheme);
}
