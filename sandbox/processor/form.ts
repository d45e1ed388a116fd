export type FormValue = string | FormValue[] | { [key: string]: FormValue };
export type Form = { [key: string]: FormValue };

/** The processor's form encoding, `a[b][0]=c`, as a tree: numbered keys make a list, `a[]` adds to one. */
export function decodeForm(encoded: string): Form {
  const root: Form = {};
  for (const [name, value] of new URLSearchParams(encoded)) {
    const [head = "", ...rest] = name.split("[").map((part) => part.replace(/\]$/, ""));
    put(root, head, rest, value);
  }
  return asLists(root) as Form;
}

function put(node: Form, key: string, rest: readonly string[], value: string): void {
  const name = key === "" ? String(Object.keys(node).length) : key;
  const [next, ...deeper] = rest;
  if (next === undefined) {
    node[name] = value;
    return;
  }
  const child = node[name];
  const inner: Form = typeof child === "object" && !Array.isArray(child) ? child : {};
  node[name] = inner;
  put(inner, next, deeper, value);
}

function asLists(value: FormValue): FormValue {
  if (typeof value === "string" || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, asLists(inner)] as const);
  return entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))
    ? entries.map(([, inner]) => inner)
    : Object.fromEntries(entries);
}

/** A branch of a form, empty if it is missing. */
export function branch(form: FormValue | undefined, key: string): Form {
  const value = typeof form === "object" && !Array.isArray(form) ? form[key] : undefined;
  return typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** A list of a form, empty if it is missing. */
export function list(form: Form, key: string): FormValue[] {
  const value = form[key];
  return Array.isArray(value) ? value : [];
}

/** A field of a form, or null if it is missing or empty. */
export function text(form: Form, key: string): string | null {
  const value = form[key];
  return typeof value === "string" && value !== "" ? value : null;
}

/** An integer in its wire form, or null if the field is missing or something else. */
export function integer(form: Form, key: string): number | null {
  const value = text(form, key);
  return value !== null && /^-?\d+$/.test(value) ? Number(value) : null;
}
