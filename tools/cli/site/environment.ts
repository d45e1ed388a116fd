/** Names of variables that may hold a credential of the deployment, the registry, or anything else. */
const MAY_BE_SECRET =
  /token|secret|password|passphrase|credential|auth|(^|_)(api)?keys?(_|$)|apikey|_pat$|^cloudflare_|^cf_|^aws_|^bank_terminals$|^database_url$|_proxy$/i;

/**
 * An environment without possible credentials: the packages that build the documentation need none. It is no isolation:
 * a program that reads its own or its parent's process memory still finds them.
 */
export function withoutCredentials(environment: Readonly<Record<string, string | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !MAY_BE_SECRET.test(name)));
}
