/** Names of variables that may hold a credential of the deployment, of the registry, or of anything else. */
const MAY_BE_SECRET = /token|secret|password|passwd|credential|auth|(^|_)key(s|_|$)|^cloudflare_|^cf_|^aws_|^bank_terminals$/i;

/** An environment without what may be a credential: the packages that build the documentation need none. */
export function withoutCredentials(environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !MAY_BE_SECRET.test(name)));
}
