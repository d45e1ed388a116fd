/**
 * The operators' URL for that of a partner's call, by the paths of the two calls of one definition. A parameter that only the
 * operators' path has, the partner, is taken from the query. Null for a call that operators do not have.
 */
export function operatorsUrl(url: URL, paths: Readonly<Record<string, string>>): URL | null {
  for (const [own, operators] of Object.entries(paths)) {
    const values = valuesIn(url.pathname, own);
    if (values === null) continue;
    const found = new URL(url);
    found.pathname = operators.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name] ?? encodeURIComponent(url.searchParams.get(name) ?? "");
      if (!(name in values)) found.searchParams.delete(name);
      return value;
    });
    return found;
  }
  return null;
}

/** The values of a path's parameters, as they stand in it; null if the path is another one. */
function valuesIn(pathname: string, template: string): Readonly<Record<string, string>> | null {
  const [parts, wanted] = [pathname.split("/"), template.split("/")];
  if (parts.length !== wanted.length) return null;
  const values: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name !== undefined) values[name] = parts[index] ?? "";
    else if (part !== parts[index]) return null;
  }
  return values;
}
